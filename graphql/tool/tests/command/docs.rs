//! `docs`: the reference site in a folder.

use super::project::Project;

#[test]
fn site_is_written_with_a_page_for_each_version() {
    let project = Project::with_candidate("site");
    project.write("site/mine.html", "mine");
    let out = project.root.join("site").display().to_string();
    project.run(&format!("docs --out {out}")).exits(0).prints("2027-01.html");
    for (page, text) in [
        ("2026-10.html", "Current. Published on <time datetime=\"2026-10-01\">"),
        ("2027-01.html", "Candidate: not published yet"),
        ("2027-01.html", "Nothing that a client can notice."),
        ("index.html", "POST /2026-10/graphql"),
        ("changelog.html", "Since 2026-10:"),
        ("mine.html", "mine"),
    ] {
        assert!(project.read(&format!("site/{page}")).contains(text), "{page}");
    }
    project.write("schema/2027-01.graphql", "type Query {");
    project.run(&format!("docs --out {out}")).exits(100).prints("schema-mistake");
}
