//! A breaking change says who uses what it breaks.

use super::project::{Project, SDL};

#[test]
fn breaking_change_names_its_users_and_stays_an_error() {
    let project = Project::with_candidate("usage");
    project.edit("schema/2027-01.graphql", "  \"The second.\"\n  b: Int\n", "");
    project.count("2026-10", "Query.b");
    let file = project.root.join("usage.json").display().to_string();
    let output = project.run(&format!("check --usage {file}")).exits(100);
    output.prints("Jansen used `Query.b` 7 times in the last 30 days, last on 2026-11-19");
    project.count("2026-10", "Query.a");
    let none = "no use was counted of `Query.b` from 2026-10-22 to 2026-11-20";
    project.run(&format!("check --usage {file}")).exits(100).prints(none);
    project.count("2025-10", "Query.b");
    project.run(&format!("check --usage {file}")).exits(100).prints("that does not mean that it is unused");
    project.write("usage.json", "nonsense");
    project.run(&format!("check --usage {file}")).exits(1).prints("the usage export is no JSON");
    project.run("check --usage nowhere.json").exits(1).prints("nowhere.json");
}

impl Project {
    /// Writes an export in which a client used a coordinate of a version.
    fn count(&self, version: &str, coordinate: &str) {
        let used = format!(
            "\"version\": \"{version}\", \"day\": \"2026-11-19\", \"coordinate\": \"{coordinate}\", \"count\": 7"
        );
        let used = format!("{{\"client\": \"Jansen\", {used}}}");
        let export = format!("{{\"format\": 1, \"from\": \"2026-10-01\", \"to\": \"2026-11-20\", \"uses\": [{used}]}}");
        self.write("usage.json", &export);
    }
}

#[test]
fn change_that_hits_every_caller_names_the_callers() {
    let project = Project::new("usage_affected");
    let first = format!(
        "{SDL}\n\"What is sent.\"\ninput Filter {{\n  \"The name.\"\n  name: String\n  \"The state.\"\n  state: State\n}}\n\n\"A state.\"\nenum State {{\n  \"One.\"\n  ONE\n  \"Two.\"\n  TWO\n}}\n"
    );
    let first = first.replace(
        "  b: Int\n",
        "  b(\n    \"Whether.\"\n    all: Boolean\n    \"Which.\"\n    filter: Filter\n  ): Int\n  \"The state.\"\n  state: State\n",
    );
    project.write("schema/2026-10.graphql", &first);
    project.forge_digest();
    project.run("new 2027-01").exits(0);
    let file = project.root.join("usage.json").display().to_string();
    for (code, from, to, used, at) in [
        (0, "  \"Two.\"\n  TWO\n", "  \"Two.\"\n  TWO\n  \"Three.\"\n  THREE\n", "Query.state", "Query.state"),
        (100, "    all: Boolean\n", "    all: Boolean\n    \"New.\"\n    language: String!\n", "Query.b", "Query.b"),
        (100, "    all: Boolean\n", "    all: Boolean!\n", "Query.b", "Query.b"),
        (100, "  name: String\n", "  name: String\n  \"New.\"\n  country: String!\n", "Filter.name", "Filter"),
        (100, "  name: String\n", "  name: Int\n", "Filter.name", "Filter"),
        (100, "  \"Two.\"\n  TWO\n", "", "Query.state", "Query.state"),
        (100, "  \"Two.\"\n  TWO\n", "", "State.TWO", "State.TWO"),
    ] {
        project.write("schema/2027-01.graphql", &first);
        project.edit("schema/2027-01.graphql", from, to);
        project.count("2026-10", used);
        let output = project.run(&format!("check --no-base --usage {file}")).exits(code);
        output.prints(&format!("Jansen used `{at}` 7 times in the last 30 days")).prints_not("no use was");
    }
}
