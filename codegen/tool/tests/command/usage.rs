//! A breaking change says who uses what it breaks.

use super::project::Project;

#[test]
fn breaking_change_names_its_users_and_stays_an_error() {
    let project = Project::with_candidate("usage");
    project.edit("schema/2027-01.graphql", "  \"The second.\"\n  b: Int\n", "");
    let usage = "# from 2026-10-01 to 2026-11-20\npartner,keyMode,version,day,coordinate,count\n\
                 Jansen,live,2026-10,2026-11-19,Query.b,7\n";
    project.write("usage.csv", usage);
    let file = project.root.join("usage.csv").display().to_string();
    let output = project.run(&format!("check --usage {file}")).exits(100);
    output.prints("used by Jansen (live key) 7 times in the last 30 days, last on 2026-11-19");
    project.write("usage.csv", &usage.replace("Query.b", "Query.a"));
    project
        .run(&format!("check --usage {file}"))
        .exits(100)
        .prints("no use was counted of it from 2026-10-22 to 2026-11-20");
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
