//! Published versions stay as they are.

use super::project::{Project, SDL};

#[test]
fn published_version_may_get_better_descriptions_and_nothing_else() {
    let project = Project::new("frozen");
    project.edit("schema/2026-10.graphql", "\"The second.\"", "\"The second of three.\"");
    project.run("check").ended(0);
    for (from, to) in [
        ("  b: Int\n", "  b: Int!\n"),
        ("  b: Int\n", "  b(x: Int): Int\n"),
        ("  b: Int\n", "  b: Int @deprecated(reason: \"Use `a`.\")\n"),
        ("which is better.", "which is best."),
        ("  b: Int\n", "  b: Int\n  \"New.\"\n  d: Int\n"),
    ] {
        project.write("schema/2026-10.graphql", SDL);
        project.edit("schema/2026-10.graphql", from, to);
        let said = project.run("check").ended(100).said("error[published-changed]: 2026-10 is published");
        said.said("cargo schema new");
        project.run("check --no-base").ended(100).said("is no longer what was published");
    }
}

#[test]
fn digest_that_is_changed_with_its_file_is_noticed_at_the_merge_base() {
    let project = Project::new("frozen_both");
    project.git(&["switch", "--quiet", "--create", "work"]);
    project.write("schema/2026-10.graphql", &SDL.replace("  b: Int\n", "  b: Int!\n"));
    project.edit("schema/versions.toml", "digest", "# digest");
    project.run("publish 2026-10 --no-base").ended(0);
    project.commit();
    project.run("check --no-base").ended(0);
    let said = project.run("check").ended(100);
    said.said("2026-10 is published: the type of field `Query.b` was `Int` and is `Int!`")
        .said("this branch left main");
    // And so is a digest that is changed alone, and an order that is.
    project.write("schema/2026-10.graphql", SDL);
    project.run("check").ended(100).said("error[published-changed]").said("changed by hand");
    let (a, b) = ("  \"The first.\"\n  a: Int\n", "  \"The second.\"\n  b: Int\n");
    project.write("schema/2026-10.graphql", &SDL.replace(&format!("{a}{b}"), &format!("{b}{a}")));
    project.run("check").ended(100).said("the order of its parts changed");
}

#[test]
fn published_version_does_not_vanish_before_its_sunset() {
    let project = Project::with_candidate("frozen_gone");
    project.run("publish 2027-01").ended(0);
    project.commit();
    let both = project.read("schema/versions.toml");
    let (first, second) = both.split_at(both.find("\n[[version]]\nname = \"2027-01\"").unwrap());
    project.write("schema/versions.toml", second);
    std::fs::remove_file(project.root.join("schema/2026-10.graphql")).unwrap();
    project.run("generate").ended(0);
    project.run("check").ended(100).said("error[published-removed]: 2026-10 was published, and is gone");
    // Once its sunset has passed it may go.
    let ending =
        first.replace("status = \"current\"", "status = \"deprecated\"\ndeprecated = 2026-10-02\nsunset = 2026-11-20");
    project.write("schema/versions.toml", &(ending + second));
    project.write("schema/2026-10.graphql", SDL);
    project.run("generate").ended(0);
    project.run("check").ended(0);
    project.commit();
    project.write("schema/versions.toml", second);
    std::fs::remove_file(project.root.join("schema/2026-10.graphql")).unwrap();
    project.run("generate").ended(0);
    project.run("check").ended(0);
    // Nor does it become a candidate again.
    let again = second.lines().filter(|line| !line.starts_with("published") && !line.starts_with("digest"));
    let again = again.collect::<Vec<_>>().join("\n").replace("current", "candidate");
    project.write("schema/versions.toml", &again);
    project.run("generate").ended(0);
    project.run("check").ended(100).said("2027-01 was published, and is a candidate again");
}

#[test]
fn merge_base_that_cannot_be_found_is_told() {
    let project = Project::new("frozen_no_base");
    project.git(&["branch", "--move", "main", "elsewhere"]);
    let said = project.run("check").ended(0).said("warning[base-unknown]");
    said.said("compared with their digests alone: there is no branch to compare with").said("--base origin/main");
    project.run("check --no-base").ended(0).kept_quiet("base-unknown");
    project.run("check --base elsewhere").ended(0).kept_quiet("base-unknown");
    // Named by somebody, and not there: that is no warning.
    project.run("check --base nowhere").ended(1).said("`nowhere` is no commit here");
    project.git(&["checkout", "--quiet", "--orphan", "alone"]);
    project.write("notes.md", "A commit of its own.\n");
    project.commit();
    project.run("check --base elsewhere").ended(1).said("no commit in common").said("shallow");
}

#[test]
fn published_version_without_a_digest_is_refused() {
    let project = Project::new("frozen_missing");
    project.edit("schema/versions.toml", "digest", "# digest");
    project.run("check").ended(100).said("error[published-digest-missing]: 2026-10").said("schema/versions.toml:2:8");
}
