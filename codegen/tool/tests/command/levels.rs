//! The severity of a rule: `schema/check.toml`, `--deny`, and what `explain` says.

use super::project::{Project, SDL};

/// A candidate with a dangerous change, `optional-argument-added` at `Query.a(x:)`.
fn project(name: &str) -> Project {
    let project = Project::with_candidate(name);
    project.edit("schema/2027-01.graphql", "  a: Int\n", "  a(\"Which, 1 to 9.\" x: Int): Int\n");
    project
}

#[test]
fn denied_finding_is_an_error() {
    let project = project("levels_deny");
    project.run("check").exits(0).prints("warning[optional-argument-added]");
    for deny in ["dangerous", "warnings", "optional-argument-added"] {
        project.run(&format!("check --deny {deny}")).exits(100).prints("error[optional-argument-added]");
    }
    project.run("check --deny breaking --deny field-removed").exits(0).prints("warning[optional-argument-added]");
    let unknown = project.run("check --deny optional-argument-addet").exits(1);
    unknown.prints("there is no rule `optional-argument-addet` (did you mean `optional-argument-added`?)");
    // A removal that was announced is a breaking change that is a warning.
    let announced = "  \"The third.\"\n  c: Int @deprecated(reason: \"Use `a`, which is better.\")\n";
    project.write("schema/2027-01.graphql", SDL);
    project.edit("schema/2027-01.graphql", announced, "");
    project.run_with("check --deny breaking", "2027-04-01", false).exits(100).prints("error[field-removed]");
    project.run_with("check --deny dangerous", "2027-04-01", false).exits(0).prints("warning[field-removed]");
}

#[test]
fn level_of_a_rule_is_set_in_a_file() {
    let project = project("levels_file");
    let set = |text: &str| project.write("schema/check.toml", text);
    set("[levels]\noptional-argument-added = \"error\"\n");
    project.run("check").exits(100).prints("error[optional-argument-added]");
    set("[levels]\noptional-argument-added = \"note\"\n");
    project.run("check").exits(0).prints("0 errors, 0 warnings");
    project.run("check --deny optional-argument-added").exits(100);
    project.write("schema/2027-01.graphql", &SDL.replace("  \"The second.\"\n  b: Int\n", ""));
    set("[levels]\nremoved-without-deprecation = \"warning\"\n");
    project.run("generate").exits(0);
    project.run("check").exits(0).prints("warning[removed-without-deprecation]");
    // A warning of lint in what partners use already does not get worse.
    project.write("schema/2026-10.graphql", &SDL.replace("The second.", "the second."));
    project.write("schema/2027-01.graphql", &SDL.replace("The second.", "the second."));
    project.run("generate").exits(0);
    project.commit();
    project.commit_other();
    set("[levels]\ndescription-sentence = \"error\"\n");
    project.run("check").exits(0).prints("warning[description-sentence]");
    set("[levels]\ndescription-sentence = \"note\"\n");
    project.run("check").exits(0).prints("0 errors, 0 warnings");
}

#[test]
fn unknown_rule_or_level_in_the_file_is_an_error() {
    let project = project("levels_wrong");
    let wrong = [
        (
            "[levels]\nfield-removde = \"note\"\n",
            "2:1",
            "there is no rule `field-removde`",
            "did you mean `field-removed`?",
        ),
        ("[levels]\nfield-removed = \"eror\"\n", "2:17", "there is no level `eror`", "did you mean `error`?"),
        ("[levels]\npublished-changed = \"note\"\n", "2:1", "the level of `published-changed` is fixed", "of lint"),
        ("[level]\n", "1:2", "unknown field `level`", "`levels`"),
        ("levels", "1:7", "schema-mistake", "check.toml"),
    ];
    for (text, position, message, help) in wrong {
        project.write("schema/check.toml", text);
        let output = project.run("check").exits(100).prints(&format!("schema/check.toml:{position}"));
        output.prints(message).prints(help);
    }
}

#[test]
fn finding_leads_to_the_description_of_its_rule() {
    let project = project("levels_page");
    project.run("check").prints("docs/schema-rules.md#optional-argument-added");
    project.run("check --format sarif").prints_not("helpUri");
    let page = "https://example.org/rules";
    project.write("schema/check.toml", &format!("rules_page = \"{page}\"\n"));
    let address = format!("{page}#optional-argument-added");
    project.run("check --format sarif").prints(&format!("\"helpUri\": \"{address}\""));
    project.run("check --format markdown").prints(&format!("[`optional-argument-added`]({address})"));
    project.run("check --format json").prints(&format!("\"rulePage\": \"{address}\""));
}

#[test]
fn rule_is_explained() {
    let project = project("levels_explain");
    let output = project.run("explain field-type-changed").exits(0);
    output
        .prints("field-type-changed: a breaking change; by default an error")
        .prints("Instead: add a field with the new type and another name")
        .prints("graphql-js: FIELD_CHANGED_KIND\ngraphql-inspector: FIELD_TYPE_CHANGED")
        .prints("[[waiver]]\n    rule = \"field-type-changed\"")
        .prints("docs/schema-rules.md#field-type-changed");
    project.run("explain published-changed").exits(0).prints("by default an error").prints_not("[[waiver]]");
    project.run("explain node-id").exits(0).prints("A partner that holds an id").prints("node-id = \"warning\"");
    project.run("explain nod-id").exits(1).prints("there is no rule `nod-id` (did you mean `node-id`?)");
}
