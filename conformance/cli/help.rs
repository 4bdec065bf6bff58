//! What people expect of a program: `help`, completions and manual pages, from the definition of the command line.

use std::process::Command;

use crate::app::Program;

fn program() -> (Program, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    (Program::with("sqlite:///missing/cards.db", folder.path()), folder)
}

#[test]
fn help_of_a_command_is_the_same_by_word_and_by_option() {
    let (program, _folder) = program();
    for words in [&[][..], &["key"], &["key", "issue"], &["backup"], &["card", "list"]] {
        let by_option = program.text(&[words, &["--help"]].concat());
        assert!(by_option.contains("Usage: card-service"), "{by_option}");
        assert_eq!(program.text(&[&["help"], words].concat()), by_option, "{words:?}");
    }
}

#[test]
fn completions_of_bash_complete_commands_and_options() {
    let (program, folder) = program();
    let file = folder.path().join("card-service.bash");
    std::fs::write(&file, program.text(&["completions", "bash"])).expect("a file");
    for (words, right) in [
        (&["ba"][..], "backup"),
        (&["backup", "dr"], "drill"),
        (&["key", "issue", "--part"], "--partner"),
        (&["key", "issue", "--mode", "te"], "test"),
    ] {
        let script = "source \"$1\"; shift; COMP_WORDS=(card-service \"$@\"); COMP_CWORD=$#;
            _card__service card-service \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\"; echo \"${COMPREPLY[*]}\"";
        let output =
            Command::new("bash").args(["-c", script, "bash"]).arg(&file).args(words).output().expect("bash runs");
        let completed = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(completed.trim(), right, "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    for (shell, right) in [("zsh", "#compdef card-service"), ("fish", "complete -c card-service")] {
        let script = program.text(&["completions", shell]);
        assert!(script.contains(right) && script.contains("drill"), "{shell}");
    }
}

#[test]
fn manual_has_a_page_for_each_command() {
    let (program, folder) = program();
    let pages = folder.path().join("man");
    let written = program.json(&["man", &pages.display().to_string()]);
    assert_eq!(written["manual"], pages.join("card-service.1").display().to_string());
    for (page, right) in [
        ("card-service.1", ".TH card-service 1"),
        ("card-service-key-issue.1", "\\-\\-mode"),
        ("card-service-backup-drill.1", "pg_restore"),
    ] {
        let text = std::fs::read_to_string(pages.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
        assert!(text.contains(right), "{page}: {text}");
    }
    assert!(!pages.join("card-service-decode-photo.1").exists(), "the server starts it, no person does");
}
