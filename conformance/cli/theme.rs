//! `theme import`, with the themes that ship with the project.

use std::path::Path;

use card_service::base::limits::{NAME_CHARS_MAX, THEME_IMAGE_BYTES_MAX, THEMES_CACHED};
use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program};

fn handles(listed: &Value) -> Vec<&str> {
    let themes = listed["themes"].as_array().expect("a list").iter();
    themes.map(|theme| theme["handle"].as_str().expect("a handle")).collect()
}

/// Writes a folder with one theme that has one picture.
fn write_theme(folder: &Path, handle: &str, title: &str, description: &str, (file, bytes): (&str, &[u8])) {
    let text = format!(
        "handle = \"{handle}\"\ntitle = \"{title}\"\ndescription = \"{description}\"\nposition = 1\n\n\
         [[images]]\nfile = \"{file}\"\nalt = \"\"\n"
    );
    std::fs::write(folder.join("theme.toml"), text).expect("the folder can be written");
    std::fs::write(folder.join(file), bytes).expect("the folder can be written");
}

on_both_databases! {
    async fn themes_imported_are_listed_to_partners_with_their_pictures(database: FreshDatabase) {
        let program = Program::new(&database);
        let imported = program.import_themes();
        assert!(handles(&imported).len() >= 3, "{imported}");
        let again = program.import_themes();
        let outcomes = again["themes"].as_array().expect("a list").iter().map(|theme| &theme["outcome"]);
        assert!(outcomes.into_iter().all(|outcome| outcome == "unchanged"), "{again}");

        let token = &program.token("test");
        let serving = program.serve();
        let document = "{ themes { nodes { handle title description images { url altText } } } }";
        let data = serving.data(token, document, json!({})).await;
        let listed = data["themes"]["nodes"].as_array().expect("nodes");
        let seen: Vec<_> = listed.iter().map(|theme| theme["handle"].as_str().expect("a handle")).collect();
        let operators = program.json(&["theme", "list"]);
        assert_eq!(seen, handles(&operators), "partners see the operator's order");
        for theme in listed {
            let images = theme["images"].as_array().expect("images");
            assert!(!images.is_empty(), "{theme}");
            for image in images {
                let url = image["url"].as_str().expect("an address");
                let path = url.find("/media/").map(|start| &url[start..]).expect("below /media/");
                let got = serving.get(path).await;
                assert_eq!((got.status, got.body.is_empty()), (200, false), "{url}");
                assert!(got.header("content-type").is_some_and(|kind| kind.starts_with("image/")), "{url}");
            }
        }

        // A theme that changed keeps its number, and a changed picture gets another address.
        let folder = tempfile::tempdir().expect("a folder");
        let mut seen = Vec::new();
        for (drawing, outcome) in [("<svg></svg>", "added"), ("<svg><path/></svg>", "changed")] {
            write_theme(folder.path(), "zand", "Zand", "Tekst", ("a.svg", drawing.as_bytes()));
            let imported = program.json(&["theme", "import", folder.path().to_str().expect("UTF-8")]);
            assert_eq!(imported["themes"][0]["outcome"], outcome, "{imported}");
            let id = &imported["themes"][0]["legacyResourceId"];
            let document = "query ($id: ID!) { theme(id: $id) { id images { url } } }";
            tokio::time::sleep(THEMES_CACHED).await;
            seen.push(serving.data(token, document, json!({ "id": id })).await["theme"].take());
        }
        assert_eq!(seen[0]["id"], seen[1]["id"]);
        assert_ne!(seen[0]["images"][0], seen[1]["images"][0]);
    }

    async fn folder_that_holds_no_theme_is_refused_and_changes_nothing(database: FreshDatabase) {
        let program = Program::new(&database);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().to_str().expect("UTF-8");
        for text in [None, Some("not toml ="), Some("title = \"no handle\"")] {
            if let Some(text) = text {
                std::fs::write(folder.path().join("theme.toml"), text).expect("the folder can be written");
            }
            program.expect_failure(&["theme", "import", path]);
        }
        assert_eq!(program.json(&["theme", "list"])["themes"], json!([]));
    }
}

on_sqlite! {
    async fn theme_is_imported_up_to_its_limits_and_mistakes_are_listed(database: FreshDatabase) {
        let program = Program::new(&database);
        let folder = tempfile::tempdir().expect("a folder");
        let import = ["theme", "import", folder.path().to_str().expect("UTF-8")];
        let svg = |text: &'static str| ("a.svg", text.as_bytes());
        let drawing = svg("<svg></svg>");
        let too_large = [b"\x89PNG\r\n\x1A\n".as_slice(), &[0; THEME_IMAGE_BYTES_MAX - 7]].concat();
        let title = "x".repeat(NAME_CHARS_MAX + 1);
        for (title, description, picture) in [
            (&title[1..], "Een\\nTwee", drawing),
            ("Zee", "Tekst", svg("<svg data-iconset=\"a\" on=\"b\"></svg>")),
            ("Zee", "Tekst", ("a.png", &too_large[..THEME_IMAGE_BYTES_MAX])),
            ("Zee", "Tekst", ("a.gif", b"GIF89a")),
            ("Zee", "Tekst", ("a.webp", b"RIFF\0\0\0\0WEBPVP8 ")),
        ] {
            write_theme(folder.path(), "zee", title, description, picture);
            assert_eq!(handles(&program.json(&import)), ["zee"]);
        }
        let listed = program.json(&["theme", "list"]);
        for (title, description, picture, said) in [
            (title.as_str(), "Tekst", drawing, "theme.toml:2: title: this text has 256 characters; the most is 255."),
            ("Zee", "Tekst\\u0007", drawing, "theme.toml:3: description: this text holds a control character."),
            ("Zee", "Tekst", ("a.png", &too_large), "images[0].file: \"a.png\" could not be read: it has more than 5242880 bytes."),
            ("Zee", "Tekst", ("a.gif", b"RIFF\0\0\0\0WEBPVP8 "), "\"a.gif\" is not a .gif picture inside."),
            ("Zee", "Tekst", svg("tekst <svg></svg>"), "\"a.svg\" is not an SVG drawing."),
            ("Zee", "Tekst", svg("<html></svg>"), "\"a.svg\" is not an SVG drawing."),
            ("Zee", "Tekst", svg("<svg></svg><p>"), "\"a.svg\" is not an SVG drawing."),
        ] {
            write_theme(folder.path(), "zee", title, description, picture);
            let refused = program.expect_failure(&import);
            assert!(refused.contains("There is 1 mistake to mend:\n") && refused.contains(said), "{refused}");
        }
        std::fs::write(folder.path().join("theme.toml"), "handle = \"zee\"\n").expect("the folder can be written");
        let refused = program.expect_failure(&import);
        assert!(refused.contains("There are 3 mistakes to mend:\n") && refused.matches("is missing.").count() == 3, "{refused}");
        std::fs::remove_file(folder.path().join("theme.toml")).expect("it is there");
        std::fs::create_dir_all(folder.path().join("zee/theme.toml")).expect("the folder can be written");
        let refused = program.expect_failure(&import);
        assert!(refused.contains("this file could not be read: it is not a file."), "{refused}");
        assert_eq!(program.json(&["theme", "list"]), listed, "a theme with a mistake changes nothing");
    }
}
