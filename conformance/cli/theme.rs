//! `theme import`, with the themes that ship with the project.

use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program};

fn handles(listed: &Value) -> Vec<&str> {
    let themes = listed["themes"].as_array().expect("a list").iter();
    themes.map(|theme| theme["handle"].as_str().expect("a handle")).collect()
}

on_both_databases! {
    async fn themes_imported_are_listed_to_partners_with_their_pictures(database: FreshDatabase) {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/themes");
        let program = Program::on(&database);
        let imported = program.json(&["theme", "import", folder]);
        assert!(handles(&imported).len() >= 3, "{imported}");
        let again = program.json(&["theme", "import", folder]);
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
    }

    async fn folder_that_holds_no_theme_is_refused_and_changes_nothing(database: FreshDatabase) {
        let program = Program::on(&database);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().to_str().expect("UTF-8");
        for text in [None, Some("not toml ="), Some("title = \"no handle\"")] {
            if let Some(text) = text {
                std::fs::write(folder.path().join("theme.toml"), text).expect("the folder can be written");
            }
            program.refused(&["theme", "import", path]);
        }
        assert_eq!(program.json(&["theme", "list"])["themes"], json!([]));
    }
}

on_sqlite! {
    async fn progress_is_drawn_on_a_terminal_only(database: FreshDatabase) {
        let program = Program::on(&database);
        let import = ["theme", "import", concat!(env!("CARGO_MANIFEST_DIR"), "/themes")];
        let shown = program.at_terminal(&import);
        assert!(shown.contains("Importing themes") && shown.contains("0 of 4"), "{shown}");
        let with_json = program.at_terminal(&[&import[..], &["--json"]].concat());
        assert!(!with_json.contains("Importing") && with_json.trim().starts_with('{'), "{with_json}");
        let piped = program.run(&import);
        let (out, err) = (String::from_utf8_lossy(&piped.stdout), String::from_utf8_lossy(&piped.stderr));
        assert!(piped.status.success() && err.lines().count() == 1 && err.starts_with("Database: "), "{err}");
        assert!(!out.contains("Importing"), "{out}");
    }
}
