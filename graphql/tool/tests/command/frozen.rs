//! Published versions stay as they are.

use super::project::{Project, SDL};

#[test]
fn published_version_can_only_change_its_descriptions() {
    let project = Project::new("frozen");
    project.edit("schema/2026-10.graphql", "\"The second.\"", "\"The second of three.\"");
    project.run("check").exits(0);
    for (from, to) in [
        ("The third.", "The third, at most 20 items."),
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
fn number_in_a_description_of_a_published_version_is_kept() {
    let project = Project::new("frozen_number");
    project.edit("schema/2026-10.graphql", "The third.", "The third, for 24 hours: at most 20 items.");
    project.forge_digest();
    project.commit();
    project.commit_other();
    let published = project.read("schema/2026-10.graphql");
    for (from, to, said) in [
        ("20 items", "10 items", "a number in the description of `Query.c` changed: 24, 20 became 24, 10"),
        (": at most 20 items", "", "changed: 24, 20 became 24"),
        ("20 items", "20 items of 3", "the order of its parts or the numbers of a description changed"),
    ] {
        project.write("schema/2026-10.graphql", &published.replace(from, to));
        project.run("check").exits(100).prints("error[published-changed]").prints(said);
    }
    project.write(
        "schema/2026-10.graphql",
        &published.replace("for 24 hours: at most 20 items", "20 items or fewer, for 24 hours"),
    );
    project.run("generate").exits(0);
    project.run("check").exits(0);
}

#[test]
fn json_schema_of_a_published_version_keeps_its_fields() {
    let project = Project::new("frozen_json_schema");
    project.write("schema/project.toml", "json_schemas = \"json\"\n");
    let path = "json/2026-10/BOOK_ADD.schema.json";
    let with = |properties: &str, required: &str| {
        format!("{{\"title\": \"A\", \"properties\": {{{properties}}}, \"required\": [{required}]}}\n")
    };
    let old = with("\"title\": {\"type\": \"string\"}, \"count\": {\"minimum\": 1}", "\"title\", \"count\"");
    project.write(path, &old);
    project.commit();
    project.commit_other();
    project.run("check").exits(0);
    // Words and fields that are added are no change.
    let more = with(
        "\"title\": {\"type\": \"string\"}, \"count\": {\"minimum\": 1}, \"new\": {}",
        "\"title\", \"count\", \"new\"",
    );
    project.write(path, &more.replace("\"A\"", "\"B\""));
    project.run("check").exits(0);
    project.write(path, &with("\"count\": {\"minimum\": 2}", "\"title\""));
    let output = project.run("check").exits(100).prints("error[payload-changed]: 2026-10 is published");
    let output = output.prints(&format!("{path} changed at `/properties/count/minimum`"));
    output.prints("changed at `/properties/title`").prints("changed at `/required/count`");
    std::fs::remove_file(project.root.join(path)).unwrap();
    project.run("check").exits(100).prints("error[payload-changed]");
}

#[test]
fn digest_that_is_changed_with_its_file_is_found_at_the_merge_base() {
    let project = Project::new("frozen_both");
    project.git(&["switch", "--quiet", "--create", "work"]);
    project.write("schema/2026-10.graphql", &SDL.replace("  b: Int\n", "  b: Int!\n"));
    project.run("generate");
    project.forge_digest();
    project.commit();
    project.run("check --no-base").exits(0);
    let output = project.run("check").exits(100);
    output
        .prints("2026-10 is published: the type of field `Query.b` was `Int` and is `Int!`")
        .prints("this branch left main");
    // A changed digest alone and a changed order are errors too.
    project.write("schema/2026-10.graphql", SDL);
    project.run("check").exits(100).prints("error[published-changed]").prints("differs from what was published");
    let (a, b) = ("  \"The first.\"\n  a: Int\n", "  \"The second.\"\n  b: Int\n");
    project.write("schema/2026-10.graphql", &SDL.replace(&format!("{a}{b}"), &format!("{b}{a}")));
    project.run("check").exits(100).prints("the order of its parts or the numbers of a description changed");
}

#[test]
fn digest_that_is_changed_with_its_file_is_found_on_the_main_branch() {
    let project = Project::new("frozen_main");
    project.write("schema/2026-10.graphql", &SDL.replace("  b: Int\n", "  b: Int!\n"));
    project.run("generate");
    project.forge_digest();
    project.commit();
    let output = project.run("check").exits(100);
    output.prints("2026-10 is published: the type of field `Query.b` was").prints("the commit before");
    // A clone without that commit says so.
    let clone = Project { root: project.root.with_file_name("frozen_shallow") };
    std::fs::remove_dir_all(&clone.root).ok();
    let from = format!("file://{}", project.root.display());
    project.git(&["clone", "--quiet", "--depth", "1", &from, clone.root.to_str().unwrap()]);
    clone.run("check").exits(0).prints("warning[base-unknown]").prints("shallow clone");
    clone.run_with("check", "2026-11-21", true).exits(100).prints("error[base-unknown]");
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
    let days = "status = \"deprecated\"\ndeprecated = 2026-11-20\nsunset = 2027-05-20";
    project.write("schema/versions.toml", &(first.replace("status = \"current\"", days) + second));
    project.write("schema/2026-10.graphql", SDL);
    project.run("generate").exits(0);
    project.run("check").exits(0);
    project.commit();
    project.commit_other();
    project.write("schema/versions.toml", second);
    std::fs::remove_file(project.root.join("schema/2026-10.graphql")).unwrap();
    project.run("generate").exits(0);
    project.run_with("check", "2027-05-20", false).exits(100).prints("error[published-removed]");
    project.run_with("check", "2027-05-21", false).exits(0);
    // It cannot become a candidate again.
    let again = second.lines().filter(|line| !line.starts_with("published") && !line.starts_with("digest"));
    let again = again.collect::<Vec<_>>().join("\n").replace("current", "candidate");
    project.write("schema/versions.toml", &again);
    project.run("generate").exits(0);
    project.run("check").exits(100).prints("2027-01 was published, and is a candidate again");
}

#[test]
fn days_of_a_published_version_are_kept() {
    let project = Project::with_candidate("frozen_days");
    project.run("publish 2027-01").exits(0);
    project.commit();
    project.commit_other();
    let current = project.read("schema/versions.toml");
    let with = |head: &str, days: &str| {
        let deprecated = format!("status = \"deprecated\"\n{days}");
        project.write(
            "schema/versions.toml",
            &(head.to_owned() + &current.replacen("status = \"current\"", &deprecated, 1)),
        );
        project.run("generate").exits(0);
    };
    for (days, said) in [
        ("deprecated = 2026-10-20\nsunset = 2027-10-20", "error[version-days]: 2026-10: its deprecation is new"),
        ("deprecated = 2026-10-21\nsunset = 2026-11-20", "error[version-days]: 2026-10: its sunset is new"),
        ("deprecated = 2026-11-21\nsunset = 2027-05-20", "error[version-days]: 2026-10: it ends on 2027-05-20"),
    ] {
        with("", days);
        project.run("check").exits(100).prints(said);
    }
    with("notice_months = 3\n\n", "deprecated = 2026-11-21\nsunset = 2027-02-21");
    project.run("check").exits(0);
    with("", "deprecated = 2026-11-21\nsunset = 2027-06-21");
    project.run("check").exits(0);
    project.commit();
    project.commit_other();
    for (days, said) in [
        ("deprecated = 2026-11-20\nsunset = 2027-06-21", "it was deprecated on 2026-11-21, and now on 2026-11-20"),
        ("deprecated = 2026-11-21\nsunset = 2027-06-20", "it ends on 2027-06-20, and clients were told 2027-06-21"),
    ] {
        with("", days);
        project.run("check").exits(100).prints("error[version-days]").prints(said);
    }
    with("", "deprecated = 2026-11-21\nsunset = 2027-09-01"); // put off
    project.run("check").exits(0);
    let earlier = current.replace("published = 2026-10-01", "published = 2026-09-01");
    project.write("schema/versions.toml", &earlier);
    project.run("check").exits(100).prints("its day of publication was changed");
}

#[test]
fn missing_merge_base_is_reported() {
    let project = Project::new("frozen_no_base");
    project.git(&["branch", "--move", "main", "elsewhere"]);
    let output = project.run("check").exits(0).prints("warning[base-unknown]");
    output.prints("compared with their digests alone: there is no branch to compare with").prints("--base origin/main");
    project.run_with("check", "2026-11-21", true).exits(100).prints("error[base-unknown]");
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
fn base_outside_of_git_is_missed_once() {
    // `/tmp` is in no repository, as the target folder may be.
    let root = std::env::temp_dir().join(format!("schema-{}", std::process::id()));
    let project = Project { root };
    let init = format!("init {}", project.root.display());
    project.run(&init).exits(0);
    project.run("check").exits(0).prints_not("base-unknown");
    project.run("check --notes").prints("note[base-unknown]").prints("this is no git repository");
    project.run_with("check", "2026-11-21", true).exits(100).prints("error[base-unknown]");
    let said = "published versions are compared with their digests alone: this is no git repository";
    project.run("publish 2026-11").exits(0).prints(said);
    project.run("check").exits(0).prints_not("base-unknown");
    std::fs::remove_dir_all(&project.root).unwrap();
}

#[test]
fn published_version_without_a_digest_is_refused() {
    let project = Project::new("frozen_missing");
    project.edit("schema/versions.toml", "digest", "# digest");
    let output =
        project.run("check").exits(100).prints("error[published-changed]: 2026-10 is published, but has no digest");
    output.prints("schema/versions.toml:2:8").prints("the digest of the file is sha256:");
}

#[test]
fn announced_removal_waits_for_the_notice() {
    let project = Project::with_candidate("frozen_notice");
    project.edit(
        "schema/2027-01.graphql",
        "  \"The third.\"\n  c: Int @deprecated(reason: \"Use `a`, which is better.\")\n",
        "",
    );
    let output =
        project.run("check").exits(100).prints("error[removed-too-soon]: field `Query.c` was removed, which 2026-10");
    output
        .prints("deprecated on 2026-10-01: it can be removed from 2027-04-01, after 6 months")
        .prints("rule = \"removed-too-soon\"");
    project.run_with("check", "2027-04-01", false).exits(0).prints("warning[field-removed]");
    project.run_with("publish 2027-01 --dry-run", "2027-03-31", false).exits(100).prints("removed-too-soon");
    // A candidate is published in the month of its name at the earliest.
    let versions = project.read("schema/versions.toml");
    project.write("schema/versions.toml", &format!("notice_months = 3\n\n{versions}"));
    project.run("check").exits(0).prints("warning[field-removed]");
    project.run("publish 2027-01 --dry-run").exits(100).prints("it can be removed from 2027-01-01, after 3 months");
    project.run_with("publish 2027-01", "2027-01-01", false).exits(0);
    project.run_with("check", "2027-01-01", false).exits(0);
}

#[test]
fn notice_runs_from_the_first_version_that_deprecates() {
    let project = Project::with_candidate("frozen_notice_first");
    project.run_with("publish 2027-01", "2027-01-04", false).exits(0);
    project.run("new 2027-05").exits(0);
    project.edit(
        "schema/2027-05.graphql",
        "  \"The third.\"\n  c: Int @deprecated(reason: \"Use `a`, which is better.\")\n",
        "",
    );
    project.run("check --no-base").exits(0).prints("warning[field-removed]");
}
