//! `check --format markdown`: what a branch changes, for a comment on a pull request.

use super::project::{Project, SDL};

#[test]
fn branch_shows_its_own_change_of_the_candidate() {
    let project = Project::with_candidate("changes");
    project.edit("schema/2027-01.graphql", "  \"The second.\"", "  \"The new one.\"\n  d: Int\n  \"The second.\"");
    project.commit();
    project.git(&["switch", "--quiet", "--create", "work"]);
    project.commit_other();
    let unchanged = project.run("check --format markdown").exits(0);
    unchanged
        .prints("### 2027-01\n\nThis branch does not change it (compared with ")
        .prints("where this branch left main");
    project.edit("schema/2027-01.graphql", "  d: Int\n", "  d: String\n  \"Another.\"\n  e: Int\n");
    let output = project.run("check --format markdown").exits(0);
    output
        .prints("This branch changes it: 1 breaking, 1 safe (compared with ")
        .prints("| breaking | `field-type-changed` | `Query.d`<br>schema/2027-01.graphql:11:6 | the type of field `Query.d`")
        .prints("| safe | `field-added` | `Query.e`<br>schema/2027-01.graphql:13:3 | field `Query.e` was added |\n")
        .prints("No findings.");
    // What was there before is not shown.
    project.run("check --format markdown").prints_not("`Query.d` was added");
    project.run("check").exits(0).prints_not("This branch");
    project.run("check --no-base --format markdown").exits(0).prints_not("This branch");
}

#[test]
fn new_candidate_is_compared_with_the_version_before() {
    let project = Project::new("changes_new");
    project.git(&["switch", "--quiet", "--create", "work"]);
    project.run("new 2027-01").exits(0);
    let fields: String = (0..120).map(|at| format!("  \"One more.\"\n  f{at}: Int\n")).collect();
    let sdl = SDL.replace("  \"The second.\"\n", &format!("{fields}  \"The second.\"\n"));
    project.write("schema/2027-01.graphql", &sdl);
    project.run("generate").exits(0);
    let output = project.run("check --format markdown").exits(0);
    output
        .prints("This branch changes it: 120 safe (new on this branch, compared with 2026-10).")
        .prints("`Query.f99` was added")
        .prints_not("`Query.f100` was added")
        .prints("\nAnd 20 more.\n");
}
