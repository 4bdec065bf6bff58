//! Published versions stay as they are.

use super::project::{Project, SDL};

#[test]
fn published_version_can_only_change_its_descriptions() {
    let project = Project::new("frozen");
    project.edit("schema/2026-10.graphql", "\"The second.\"", "\"The second of three.\"");
    project.run("check").exits(0);
    for (from, to) in [
        ("  b: Int\n", "  b: Int!\n"),
        ("  b: Int\n", "  b(x: Int): Int\n"),
        ("  b: Int\n", "  b: Int @deprecated(reason: \"Use `a`.\")\n"),
        ("which is better.", "which is best."),
        ("  b: Int\n", "  b: Int\n  \"New.\"\n  d: Int\n"),
    ] {
        project.write("schema/2026-10.graphql", SDL);
        project.edit("schema/2026-10.graphql", from, to);
        let output = project.run("check").exits(100).prints("error[published-changed]: 2026-10 is published");
        output.prints("cargo schema new");
        project.run("check --no-base").exits(100).prints("differs from what was published");
    }
}

#[test]
fn digest_that_is_changed_with_its_file_is_found_at_the_merge_base() {
    let project = Project::new("frozen_both");
    project.git(&["switch", "--quiet", "--create", "work"]);
    project.write("schema/2026-10.graphql", &SDL.replace("  b: Int\n", "  b: Int!\n"));
    project.edit("schema/versions.toml", "digest", "# digest");
    project.run("publish 2026-10 --no-base").exits(0);
    project.commit();
    project.run("check --no-base").exits(0);
    let output = project.run("check").exits(100);
    output
        .prints("2026-10 is published: the type of field `Query.b` was `Int` and is `Int!`")
        .prints("this branch left main");
    // A changed digest alone and a changed order are errors too.
    project.write("schema/2026-10.graphql", SDL);
    project.run("check").exits(100).prints("error[published-changed]").prints("changed by hand");
    let (a, b) = ("  \"The first.\"\n  a: Int\n", "  \"The second.\"\n  b: Int\n");
    project.write("schema/2026-10.graphql", &SDL.replace(&format!("{a}{b}"), &format!("{b}{a}")));
    project.run("check").exits(100).prints("the order of its parts changed");
}

#[test]
fn published_version_is_not_removed_before_its_sunset() {
    let project = Project::with_candidate("frozen_gone");
    project.run("publish 2027-01").exits(0);
    project.commit();
    let both = project.read("schema/versions.toml");
    let (first, second) = both.split_at(both.find("\n[[version]]\nname = \"2027-01\"").unwrap());
    project.write("schema/versions.toml", second);
    std::fs::remove_file(project.root.join("schema/2026-10.graphql")).unwrap();
    project.run("generate").exits(0);
    project.run("check").exits(100).prints("error[published-removed]: 2026-10 was published, and is gone");
    // After its sunset it can be removed.
    let ending =
        first.replace("status = \"current\"", "status = \"deprecated\"\ndeprecated = 2026-10-02\nsunset = 2026-11-20");
    project.write("schema/versions.toml", &(ending + second));
    project.write("schema/2026-10.graphql", SDL);
    project.run("generate").exits(0);
    project.run("check").exits(0);
    project.commit();
    project.write("schema/versions.toml", second);
    std::fs::remove_file(project.root.join("schema/2026-10.graphql")).unwrap();
    project.run("generate").exits(0);
    project.run("check").exits(0);
    // It cannot become a candidate again.
    let again = second.lines().filter(|line| !line.starts_with("published") && !line.starts_with("digest"));
    let again = again.collect::<Vec<_>>().join("\n").replace("current", "candidate");
    project.write("schema/versions.toml", &again);
    project.run("generate").exits(0);
    project.run("check").exits(100).prints("2027-01 was published, and is a candidate again");
}

#[test]
fn missing_merge_base_is_reported() {
    let project = Project::new("frozen_no_base");
    project.git(&["branch", "--move", "main", "elsewhere"]);
    let output = project.run("check").exits(0).prints("warning[base-unknown]");
    output.prints("compared with their digests alone: there is no branch to compare with").prints("--base origin/main");
    project.run("check --no-base").exits(0).prints_not("base-unknown");
    project.run("check --base elsewhere").exits(0).prints_not("base-unknown");
    // A base from the command line that does not exist is an error.
    project.run("check --base nowhere").exits(1).prints("`nowhere` is no commit here");
    project.git(&["checkout", "--quiet", "--orphan", "alone"]);
    project.write("notes.md", "A commit of its own.\n");
    project.commit();
    project.run("check --base elsewhere").exits(1).prints("no commit in common").prints("shallow");
}

#[test]
fn published_version_without_a_digest_is_refused() {
    let project = Project::new("frozen_missing");
    project.edit("schema/versions.toml", "digest", "# digest");
    project
        .run("check")
        .exits(100)
        .prints("error[published-digest-missing]: 2026-10")
        .prints("schema/versions.toml:2:8");
}
