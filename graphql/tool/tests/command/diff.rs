//! `diff`: schemas of versions, files and commits.

use super::project::{Project, SDL};

#[test]
fn diff_compares_versions_files_and_commits() {
    let project = Project::with_candidate("diff");
    project.edit("schema/2027-01.graphql", "  b: Int\n", "  b: String\n");
    let output = project.run("diff 2026-10 2027-01").exits(100);
    output.prints("error[field-type-changed]: the type of field `Query.b` was `Int` and is `String`");
    project.run("diff 2027-01 2027-01").exits(0).prints("0 errors");
    project.run("diff main:schema/2026-10.graphql 2027-01").exits(100).prints("main:schema/2026-10.graphql:11");
    project.run("diff 2026-10 nowhere").exits(1).prints("`nowhere` is neither");
    project.write("schema/2027-01.graphql", &SDL.replace("  b: Int\n", "  b: Int\n  \"New.\"\n  d: Int\n"));
    project.run("diff 2026-10 2027-01").exits(0).prints("note[field-added]");
}

#[test]
fn mistakes_of_a_file_are_said_and_not_compared() {
    let project = Project::with_candidate("diff_mistakes");
    let twice = SDL.replace("  b: Int\n", "  b: String\n  \"Again.\"\n  a: String\n");
    // The mistake of a file, its place, and whether it is the older or the newer of the two.
    for (sdl, mistake, place) in [
        (twice.clone(), "field `a` is in `Query` twice", ":13:3"),
        (twice + "extend type Query { b: Int }\n", "field `b` is in `Query` twice", ":17:21"),
        (SDL.replace("b: Int\n", "b: Nope\n"), "`Nope`", ":11:6"),
        (SDL.replace("b: Int\n", "b Int\n"), "unexpected `Int`", ":11:5"),
    ] {
        project.write("mistake.graphql", &sdl);
        let file = project.root.join("mistake.graphql").display().to_string();
        for files in [format!("{file} 2027-01"), format!("2026-10 {file}")] {
            let output = project.run(&format!("diff {files}")).exits(100);
            output.prints(mistake).prints(place).prints_not("[field-").prints("error[schema-mistake]");
        }
    }
}

#[test]
fn removed_value_of_an_enum_that_is_only_received_is_breaking() {
    let project = Project::with_candidate("diff_enum");
    let with = |values: &str| SDL.replace("  b: Int\n", "  b: E\n") + &format!("\n\"E.\"\nenum E {{\n{values}}}\n");
    project.write("schema/2026-10.graphql", &with("  \"A.\"\n  A\n  \"B.\"\n  B\n"));
    project.write("schema/2027-01.graphql", &with("  \"A.\"\n  A\n"));
    project.run("diff 2026-10 2027-01").exits(100).prints("error[enum-value-removed]: enum value `E.B` was removed");
    project.run("generate").exits(0);
    project
        .run("check --no-base")
        .exits(100)
        .prints("error[removed-without-deprecation]: enum value `E.B` was removed");
}

#[test]
fn number_that_a_description_mentions_first_is_no_breach() {
    let project = Project::with_candidate("diff_number");
    project.write("schema/2027-01.graphql", &SDL.replace("The second.", "The second, at most 250."));
    project.run("diff 2026-10 2027-01").exits(0).prints("0 errors, 0 warnings");
    project.run("diff 2027-01 2026-10").exits(0).prints("warning[number-changed]");
}

#[test]
fn schema_with_subscriptions_is_compared_linted_and_formatted() {
    let project = Project::new("diff_subscription");
    let sdl = SDL.replace("  query: Query\n", "  query: Query\n  subscription: Feed\n")
        + "\n\"What is sent.\"\ntype Feed {\n  \"The news.\"\n  a: Int\n}\nextend type Query { d: Int }\n";
    project.write("schema/2026-10.graphql", &sdl);
    project
        .run("diff main:schema/2026-10.graphql 2026-10")
        .exits(0)
        .prints("note[root-added]")
        .prints("note[field-added]");
    project.write("schema/project.toml", "[levels]\ndescription-missing = \"error\"\n");
    project.run("lint").exits(100).prints("error[description-missing]: `Query.d`").prints_not("schema-mistake");
    project.run("fmt").exits(0).prints("formatted schema/2026-10.graphql");
    let note = "subscriptions are not served: `Feed`, and types that nothing else leads to, are left out";
    project.run("generate").exits(0).prints(&format!("note: {note}"));
    let generated = project.read("generated/v2026_10.rs");
    assert!(generated.contains("fn d(") && !generated.contains("Feed"), "{generated}");
    project.run("check --no-base").prints(&format!("warning[subscription-unserved]: {note}"));
    project.run("skeleton").exits(0).prints("async fn d(").prints_not("Feed");
    project.write("schema/project.toml", "[levels]\nsubscription-unserved = \"off\"\n");
    project.run("check --no-base").prints_not("subscription-unserved");
}

#[test]
fn scalar_without_an_entry_is_any_json() {
    let project = Project::new("diff_scalar");
    project.write("schema/2026-10.graphql", &(SDL.replace("  a: Int\n", "  a(x: Json): Json\n") + "scalar Json\n"));
    let note = "scalars without an entry in schema/project.toml are any JSON: `Json`";
    project.run("generate").exits(0).prints(&format!("note: {note}"));
    let generated = project.read("generated/v2026_10.rs");
    assert!(generated.contains("use serde_json::Value;") && generated.contains("x: Option<Value>"), "{generated}");
    project
        .run("check --no-base")
        .prints(&format!("warning[scalar-untyped]: {note}"))
        .prints("`[scalar.Json]` names its Rust types; without one they are `serde_json::Value`");
}

/// The JSON is what graphql-js 16 answers to its introspection query, without the types of introspection.
#[test]
fn introspection_is_compared_as_its_sdl() {
    let project = Project::new("diff_introspection");
    let named = |kind: &str, name: &str| format!(r#"{{"kind":"{kind}","name":"{name}","ofType":null}}"#);
    let (int, string) = (named("SCALAR", "Int"), named("SCALAR", "String"));
    let list = format!(
        r#"{{"kind":"NON_NULL","name":null,"ofType":{{"kind":"LIST","name":null,"ofType":{}}}}}"#,
        named("UNION", "U")
    );
    let field = |name: &str, args: &str, ty: &str, rest: &str| {
        format!(r#"{{"name":"{name}","description":null,"args":[{args}],"type":{ty},{rest}}}"#)
    };
    let input = |name: &str, ty: &str, default: &str| {
        format!(
            r#"{{"name":"{name}","description":"A \"b\".\nC","type":{ty},"defaultValue":{default},"isDeprecated":false,"deprecationReason":null}}"#
        )
    };
    let kept = r#""isDeprecated":false,"deprecationReason":null"#;
    let gone = r#""isDeprecated":true,"deprecationReason":"Use `b`.""#;
    let types = [
        format!(
            r#"{{"kind":"OBJECT","name":"Q","description":"D","fields":[{},{}],"interfaces":[{}]}}"#,
            field("a", &input("x", &named("INPUT_OBJECT", "I"), r#""{n: 1}""#), &int, gone),
            field("b", "", &list, kept),
            named("INTERFACE", "N")
        ),
        format!(
            r#"{{"kind":"INTERFACE","name":"N","description":null,"fields":[{}],"interfaces":[]}}"#,
            field("b", "", &list, kept)
        ),
        format!(r#"{{"kind":"UNION","name":"U","description":null,"possibleTypes":[{}]}}"#, named("OBJECT", "Q")),
        format!(
            r#"{{"kind":"INPUT_OBJECT","name":"I","description":null,"inputFields":[{}],"isOneOf":false}}"#,
            input("n", &int, "null")
        ),
        format!(
            r#"{{"kind":"ENUM","name":"E","description":null,"enumValues":[{{"name":"ONE","description":null,{kept}}}]}}"#
        ),
        r#"{"kind":"SCALAR","name":"S","description":null,"specifiedByURL":"https://example.org/s"}"#.to_owned(),
        r#"{"kind":"SCALAR","name":"Int","description":null}"#.to_owned(),
        r#"{"kind":"OBJECT","name":"__Type","description":null,"fields":[]}"#.to_owned(),
    ];
    let directive = format!(
        r#"{{"name":"d","description":null,"isRepeatable":true,"locations":["OBJECT","FIELD"],"args":[{}]}},{{"name":"skip","locations":["FIELD"],"args":[]}}"#,
        input("y", &string, r#""\"z\"""#)
    );
    let json = format!(
        r#"{{"data":{{"__schema":{{"queryType":{{"name":"Q"}},"mutationType":null,"directives":[{directive}],"types":[{}]}}}}}}"#,
        types.join(",")
    );
    let sdl = "schema { query: Q } \"D\" type Q implements N @d { a(\"\"\"A \"b\".\nC\"\"\" x: I = {n: 1}): Int @deprecated(reason: \"Use `b`.\") b: [U]! } \
               interface N { b: [U]! } union U = Q input I { \"\"\"A \"b\".\nC\"\"\" n: Int } enum E { ONE } \
               scalar S @specifiedBy(url: \"https://example.org/s\") directive @d(\"\"\"A \"b\".\nC\"\"\" y: String = \"z\") repeatable on OBJECT | FIELD";
    project.write("there.json", &json);
    // Introspection does not tell that `Q` uses a directive.
    project.write("here.graphql", sdl);
    let [json, sdl] = ["there.json", "here.graphql"].map(|file| project.root.join(file).to_str().unwrap().to_owned());
    project.run(&format!("diff {json} {sdl}")).exits(0).prints("0 errors, 0 warnings, 0 notes");
    project.run(&format!("diff {sdl} {json}")).exits(0).prints("0 errors, 0 warnings, 0 notes");
}
