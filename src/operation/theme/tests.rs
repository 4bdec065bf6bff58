//! The mistakes of a folder with themes.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::import::ReadThemesError;
use super::read_folder;

const DRAWING: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\"/></svg>\n";

fn theme(handle: &str, position: i64) -> String {
    format!(
        "handle = \"{handle}\"\ntitle = \"Titel\"\ndescription = \"Tekst\"\nposition = {position}\n\
         videos = [\"https://kaarten.example/film.mp4\"]\ndemo_url = \"https://kaarten.example/voorbeeld\"\n\n\
         [[images]]\nfile = \"omslag.svg\"\nalt = \"Een omslag\"\n\n[[images]]\nfile = \"detail.svg\"\nalt = \"\"\n"
    )
}

fn write(folder: &Path, manifest: &str) {
    fs::create_dir_all(folder).expect("a folder");
    fs::write(folder.join("theme.toml"), manifest).expect("a file");
    for file in ["omslag.svg", "detail.svg"] {
        fs::write(folder.join(file), DRAWING).expect("a file");
    }
}

/// The mistakes of a folder, without the path of the temporary folder.
fn mistakes(folder: &TempDir) -> Vec<String> {
    let root = format!("{}/", folder.path().display());
    match read_folder(folder.path()) {
        Err(ReadThemesError::Mistakes(mistakes)) => {
            mistakes.iter().map(|mistake| mistake.to_string().replace(&root, "")).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_mistake_is_reported_with_its_file_line_and_field() {
    let folder = tempfile::tempdir().expect("a folder");
    write(
        &folder.path().join("a"),
        "handle = \"Zee En Strand\"\ntitle = \" \"\ndescription = 3\nposition = -1\ncolour = \"blue\"\n\
         videos = [\"ftp://kaarten.example\", 4]\ndemo_url = \"kaarten\"\n\n[[images]]\nfile = \"weg.svg\"\n\n\
         [[images]]\nalt = \"x\"\n\n[[images]]\nfile = \"../a.svg\"\nsize = 1\n",
    );
    write(&folder.path().join("b"), "handle = \"b\n");
    fs::create_dir(folder.path().join("c")).expect("a folder");
    fs::create_dir(folder.path().join(".git")).expect("a folder");
    let found = mistakes(&folder);
    let starts = [
        "a/theme.toml:5: colour: there is no such field. There are: handle, title,",
        "a/theme.toml:1: handle: a handle holds lower-case letters,",
        "a/theme.toml:2: title: this field is empty.",
        "a/theme.toml:3: description: this is an integer, not a text.",
        "a/theme.toml:4: position: this is not a whole number of 0 or more.",
        "a/theme.toml:12: images[1].file: this field is missing.",
        "a/theme.toml:17: images[2].size: there is no such field.",
        "a/theme.toml:16: images[2].file: \"../a.svg\" is not a plain file name:",
        "a/theme.toml:6: videos[0]: this is not an http or https address",
        "a/theme.toml:6: videos[1]: this is an integer, not an address.",
        "a/theme.toml:7: demo_url: this is not an http or https address",
        "a/theme.toml:10: images[0].file: there is no file \"weg.svg\"",
        "b/theme.toml:1: this is not TOML:",
        "c/theme.toml: this file is missing.",
    ];
    assert_eq!(found.len(), starts.len(), "{found:#?}");
    for (found, start) in found.iter().zip(starts) {
        assert!(found.starts_with(start), "{found}");
    }
}

#[test]
fn handle_of_two_themes_and_picture_named_twice_are_mistakes() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("a"), &theme("zee", 1));
    write(&folder.path().join("b"), &theme("zee", 2).replace("detail.svg", "omslag.svg"));
    let found = mistakes(&folder);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].contains("images[1].file: \"omslag.svg\" is in the list twice."), "{}", found[0]);
    assert!(
        found[1].contains("handle: \"zee\" is the handle of ") && found[1].contains("a/theme.toml"),
        "{}",
        found[1]
    );
}
