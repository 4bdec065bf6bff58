//! `completions` and `man`.

use std::process::Command;

use super::project::Project;

#[test]
fn completions_of_bash_complete_commands_and_options() {
    let project = Project::new("completions");
    project.write("cargo-schema.bash", &project.run("completions bash").exits(0).out);
    for (words, right) in [(&["skel"][..], "skeleton"), (&["publish", "--dry"], "--dry-run")] {
        let script = "source cargo-schema.bash; COMP_WORDS=(cargo-schema \"$@\"); COMP_CWORD=$#
            _cargo__schema cargo-schema \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\"; echo \"${COMPREPLY[*]}\"";
        let bash = Command::new("bash").args(["-c", script, "bash"]).args(words).current_dir(&project.root).output();
        let bash = bash.unwrap();
        assert_eq!(String::from_utf8_lossy(&bash.stdout).trim(), right, "{}", String::from_utf8_lossy(&bash.stderr));
    }
}

#[test]
fn manual_has_a_page_for_each_command() {
    let project = Project::new("manual");
    project.run(&format!("man {}", project.root.join("pages").display())).exits(0).prints("cargo-schema.1");
    for (page, right) in [("cargo-schema.1", ".TH cargo-schema 1"), ("cargo-schema-check.1", "\\-\\-usage")] {
        let text = std::fs::read_to_string(project.root.join("pages").join(page)).unwrap();
        assert!(text.contains(right), "{text}");
    }
}
