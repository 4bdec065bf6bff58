//! `cargo schema check --operations`: what a candidate does to the operations of a client.

use std::process::Command;

use super::project::{Output, Project};

/// The version for which the operations are written.
const SDL: &str = r#""The schema."
schema {
  query: Query
  mutation: Mutation
}

"A state."
enum State {
  "Not ordered."
  DRAFT
  "Ordered."
  ORDERED
}

"A card."
type Card {
  "The id."
  id: ID!
  "The name."
  name: String
  "The state."
  state: State
}

"A theme."
type Theme {
  "The id."
  id: ID!
}

"What a search finds."
union Found = Card | Theme

"The name and the state."
input CardInput {
  "The name, at most 20 characters."
  name: String
  "The state."
  state: State
}

"Everything that is read."
type Query {
  "The cards."
  cards(
    "How many, 0 to 50."
    first: Int = 10
    "In which state."
    state: State
  ): [Card!]
  "What a search finds."
  found: [Found!]
}

"Everything that is changed."
type Mutation {
  "Changes a card."
  change(
    "The new values."
    input: CardInput!
  ): Card
}
"#;

fn project(name: &str) -> Project {
    let project = Project::new(name);
    project.write("schema/2026-10.graphql", SDL);
    project.publish_again();
    project.run("new 2027-01").exits(0);
    project
}

impl Project {
    /// Checks one operation, together with the schema.
    fn check_operation(&self, operation: &str) -> Output {
        self.write("operations/one.graphql", operation);
        self.check_operations()
    }

    fn check_operations(&self) -> Output {
        let folder = self.root.join("operations");
        self.run(&format!("check --no-base --notes --operations {}", folder.display()))
    }
}

const READ: &str = "query Read { cards(first: 5) { id name } }";
const FIND: &str = "query Find { found { ... on Theme { id } ... on Card { id } } }";
const WRITE: &str = "mutation Write { change(input: { name: \"Jan\" }) { id } }";
const WRITE_STATE: &str = "mutation State($state: State) { change(input: { state: $state }) { id } }";
const WRITE_ALL: &str = "mutation All($input: CardInput!) { change(input: $input) { id state } }";
const IN_STATE: &str = "query InState { cards(state: DRAFT) { id } }";

#[test]
fn operation_is_broken_affected_or_as_before() {
    let project = project("operations");
    let candidate = project.read("schema/2027-01.graphql");
    let (broken, affected, same) = ("operation-broken", "operation-affected", "operation-unaffected");
    let name = "  \"The name.\"\n  name: String\n";
    let required = "  \"The name, at most 20 characters.\"\n  name: String!\n";
    let new_field = "  \"New, at most 9 characters.\"\n  note: String!\n  \"The name, at most 20 characters.\"\n";
    for (from, to, expected) in [
        (
            name,
            "",
            &[
                (READ, broken, "`Read` breaks in 2027-01: field `Card.name` was removed"),
                (IN_STATE, same, "`InState` is unaffected by 2027-01"),
                (
                    "query Deep { cards { ...Names } } fragment Names on Card { name }",
                    broken,
                    "`Card.name` was removed",
                ),
                ("{ cards { __typename id } }", same, "an operation without a name is unaffected"),
            ][..],
        ),
        (
            "  \"The name, at most 20 characters.\"\n  name: String\n",
            required,
            &[
                (WRITE, same, ""),
                (WRITE_STATE, broken, "`State` breaks"),
                (WRITE_ALL, affected, "`All` may behave differently"),
                ("mutation N($n: String) { change(input: { name: $n }) { id } }", broken, "`N` breaks"),
                ("mutation N($n: String!) { change(input: { name: $n }) { id } }", same, ""),
            ],
        ),
        (
            "  \"The name, at most 20 characters.\"\n",
            new_field,
            &[(WRITE, broken, "`CardInput.note`"), (WRITE_ALL, broken, "`CardInput.note`"), (READ, same, "")],
        ),
        (
            "  \"Not ordered.\"\n  DRAFT\n",
            "",
            &[
                (IN_STATE, broken, "enum value `State.DRAFT` was removed"),
                (WRITE_STATE, affected, "`State.DRAFT`"),
                (WRITE_ALL, affected, "`State.DRAFT`"),
                (READ, same, ""),
            ],
        ),
        (
            "  ORDERED\n",
            "  ORDERED\n  \"Gone.\"\n  GONE\n",
            &[(WRITE_ALL, affected, "enum value `State.GONE` was added"), (WRITE, same, "")],
        ),
        ("= Card | Theme", "= Card", &[(FIND, broken, "a `Found` is never a `Theme`"), (READ, same, "")]),
        ("first: Int = 10", "first: Int = 20", &[(IN_STATE, affected, "`Query.cards(first:)`"), (READ, same, "")]),
        (
            "at most 20 characters",
            "at most 10 characters",
            &[(WRITE, affected, "at most 20 characters and is at most 10"), (WRITE_STATE, same, "")],
        ),
    ] {
        assert_eq!(candidate.matches(from).count(), 1, "{from}");
        project.write("schema/2027-01.graphql", &candidate.replace(from, to));
        project.run("generate");
        for (operation, rule, said) in expected {
            project.check_operation(operation).prints(&format!("[{rule}]: ")).prints(said);
        }
    }
}

#[test]
fn operation_that_does_not_fit_its_version_is_an_error() {
    let project = project("operations_invalid");
    for (operation, said) in [
        ("query { cards { size } }", "does not fit 2026-10: `Card` has no field `size`"),
        ("query { cards(last: 1) { id } }", "`Query.cards` has no argument `last`"),
        ("query Q($x: Nothing) { cards { id } }", "there is no type `Nothing`"),
        ("query Q { cards { ...Missing } }", "there is no fragment `Missing`"),
        ("subscription S { cards { id } }", "there are no operations of this kind"),
        ("query {", "one.graphql is not GraphQL"),
    ] {
        project.check_operation(operation).exits(100).prints("error[operation-invalid]").prints(said);
    }
    project.run("check --no-base --operations nowhere").exits(1).prints("nowhere");
}

#[test]
fn operations_are_read_from_all_folders_and_share_fragments() {
    let project = project("operations_many");
    project
        .write("operations/a/read.graphql", "query Read { cards { ...Names } }\nquery Other { found { __typename } }");
    project.write(
        "operations/b/names.gql",
        "fragment Names on Card { name ...More } fragment More on Card { id ...Names }",
    );
    project.write("operations/notes.txt", "no operations");
    let output = project.check_operations().exits(0);
    output.prints("`Read` is unaffected").prints("`Other` is unaffected");
    project.edit("schema/2027-01.graphql", "  \"The name.\"\n  name: String\n", "");
    // The use is shown where the fragment is spread.
    project
        .check_operations()
        .exits(100)
        .prints("read.graphql:1:25")
        .prints("`Read` breaks")
        .prints("`Other` is unaffected");
}

#[test]
fn operations_need_a_candidate() {
    let project = Project::new("operations_published");
    project.check_operation("query Q { a }").exits(1).prints("`cargo schema new` begins one");
}

#[test]
fn thousand_operations_are_checked() {
    let project = project("operations_thousand");
    for number in 0..1_000 {
        let operation =
            format!("query Read{number}($first: Int) {{ cards(first: $first) {{ id name }} found {{ __typename }} }}");
        project.write(&format!("operations/{number}.graphql"), &operation);
    }
    let output = project.check_operations().exits(0);
    assert_eq!(output.out.matches("[operation-unaffected]").count(), 1_000);
    // A reader that has enough is not an error.
    let command =
        format!("'{}' check --no-base --notes --operations operations --root .", env!("CARGO_BIN_EXE_schema"));
    let mut piped = Command::new("bash");
    piped.args(["-o", "pipefail", "-c", &format!("{command} | head -1")]);
    let piped = piped.current_dir(&project.root).output().unwrap();
    assert!(piped.status.success() && piped.stderr.is_empty(), "{}", String::from_utf8_lossy(&piped.stderr));
}

#[test]
fn stored_operations_are_checked_from_their_own_version() {
    let project = project("operations_stored");
    let stored = |partner: &str, version: &str, document: &str| {
        format!(
            r#"{{"partner": "{partner}", "keyMode": "live", "version": "{version}", "digest": "00", "document": "{document}",
               "count": 12, "firstDay": "2026-11-01", "lastDay": "2026-11-20"}}"#
        )
    };
    let read = "query Read {\\n  cards {\\n    name\\n  }\\n}\\n";
    let other = "query Other {\\n  found {\\n    __typename\\n  }\\n}\\n";
    let documents = [
        stored("Jansen", "2026-10", read),
        stored("De Vries", "2026-10", read),
        stored("Jansen", "2026-10", other),
        stored("Jansen", "2027-01", "query Newer { cards { name } }"),
        stored("Jansen", "2024-01", "query Older { cards { name } }"),
    ];
    project.write("documents.json", &format!("{{\"format\": 1, \"documents\": [{}]}}", documents.join(",")));
    project.edit("schema/2027-01.graphql", "  \"The name.\"\n  name: String\n", "");
    let file = project.root.join("documents.json").display().to_string();
    let output = project.run(&format!("check --no-base --notes --operations {file}")).exits(100);
    output
        .prints("usage_documents/2026-10/2.graphql:3:5")
        .prints("`Read` breaks in 2027-01: field `Card.name` was removed")
        .prints("Jansen (live key) sent it 12 times since 2026-11-01, last on 2026-11-20")
        .prints("De Vries (live key) sent it 12 times")
        .prints("`Other` is unaffected")
        .prints_not("Newer")
        .prints_not("Older");
    project.write("documents.json", "{\"format\": 2, \"documents\": []}");
    project.run(&format!("check --operations {file}")).exits(1).prints("format 2");
    project.write("documents.json", "{\"format\": 1, \"documents\": []}");
    project
        .run(&format!("check --operations {file}"))
        .exits(1)
        .prints("holds no operations")
        .prints("USAGE_DOCUMENTS=on");
    for (from, said) in [
        ("nowhere.json", "nowhere.json"),
        ("sqlite://nowhere.db", "SQLite"),
        ("postgres://nobody@127.0.0.1:1/cards", "PostgreSQL"),
        ("mysql://localhost/cards", "sqlite:// or postgres://"),
    ] {
        project.run(&format!("check --operations {from}")).exits(1).prints(said);
    }
}

#[test]
fn folder_without_operations_is_refused() {
    let project = project("operations_none");
    project.write("operations/notes.txt", "no operations");
    project.check_operations().exits(1).prints("holds no operations").prints(".graphql or .gql");
}

#[test]
fn operation_that_nests_too_deeply_is_invalid() {
    let project = project("operations_bounded");
    let chain: String = (0..2_000).map(|n| format!("fragment F{n} on Query {{ ...F{} }} ", n + 1)).collect();
    let name = "n".repeat(256);
    for (operation, said) in [
        (format!("{{ ...F0 }} {chain} fragment F2000 on Query {{ __typename }}"), "nests too deeply"),
        (format!("{{ {name} }}"), "more than 255 characters"),
        ("mutation M { change(input: { gone: 1 }) { id } }".to_owned(), "`CardInput` has no input field `gone`"),
        (format!("query A($a: {}Int{}) {{ __typename }}", "[".repeat(40), "]".repeat(40)), "more than 15 lists"),
    ] {
        project.check_operation(&operation).exits(100).prints("operation-invalid").prints(said);
    }
    project.check_operation("# 🌹\n{ cards(first: 1) { id } }").exits(0).prints("is unaffected");
}
