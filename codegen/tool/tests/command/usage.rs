//! A breaking change says who uses what it breaks.

use super::project::{Project, SDL};

#[test]
fn breaking_change_names_its_users_and_stays_an_error() {
    let project = Project::with_candidate("usage");
    project.edit("schema/2027-01.graphql", "  \"The second.\"\n  b: Int\n", "");
    let usage = "# from 2026-10-01 to 2026-11-20\npartner,keyMode,version,day,coordinate,count\n\
                 Jansen,live,2026-10,2026-11-19,Query.b,7\n";
    project.write("usage.csv", usage);
    let file = project.root.join("usage.csv").display().to_string();
    let output = project.run(&format!("check --usage {file}")).exits(100);
    output.prints("Jansen (live key) used `Query.b` 7 times in the last 30 days, last on 2026-11-19");
    project.write("usage.csv", &usage.replace("Query.b", "Query.a"));
    project
        .run(&format!("check --usage {file}"))
        .exits(100)
        .prints("no use was counted of `Query.b` from 2026-10-22 to 2026-11-20");
    project.write("usage.csv", &usage.replace("2026-10,", "2025-10,"));
    project.run(&format!("check --usage {file}")).exits(100).prints("that does not mean that it is unused");
    project.write("usage.csv", "nonsense");
    project.run(&format!("check --usage {file}")).exits(1).prints("line 1 of the usage export");
    let unreachable = "postgres://nobody@127.0.0.1:1/cards";
    project.run(&format!("check --usage {unreachable}")).exits(1).prints("cannot be read from the PostgreSQL database");
    project.run("check --usage sqlite://nowhere.db").exits(1).prints("cannot be read from the SQLite database");
    project.run("check --usage mysql://localhost/cards").exits(1).prints("sqlite:// or postgres://");
    project.run("check --usage nowhere.csv").exits(1).prints("nowhere.csv");
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
    project.publish_again();
    project.run("new 2027-01").exits(0);
    let usage = |coordinate: &str| {
        let head = "# from 2026-10-01 to 2026-11-20\npartner,keyMode,version,day,coordinate,count\n";
        project.write("usage.csv", &format!("{head}Jansen,live,2026-10,2026-11-19,{coordinate},7\n"));
    };
    let file = project.root.join("usage.csv").display().to_string();
    for (code, from, to, used, at) in [
        (
            0,
            "    all: Boolean\n",
            "    all: Boolean\n    \"New, at most 9 letters.\"\n    new: String\n",
            "Query.b",
            "Query.b",
        ),
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
        usage(used);
        let output = project.run(&format!("check --no-base --usage {file}")).exits(code);
        output.prints(&format!("Jansen (live key) used `{at}` 7 times in the last 30 days")).prints_not("no use was");
    }
}
