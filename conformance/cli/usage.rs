//! `usage export` and `usage show`, and `cargo schema check --usage` on an export.

use schema_tool::check::usage::Usage;
use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program};

const READ: &str = "query($id: ID!) { card(id: $id) { status } }";

on_both_databases! {
    async fn usage_is_written_at_shutdown_and_read_by_both_tools(database: FreshDatabase) {
        let program = Program::on(&database);
        let empty = program.json(&["usage", "export"]);
        assert_eq!((&empty["format"], &empty["uses"]), (&json!(1), &json!([])));
        assert_eq!(empty["from"], empty["to"], "nothing is known of any day");

        program.json(&["partner", "add", "Uitvaart \"Noord\", oud"]);
        let issue = ["key", "issue", "--partner", "Uitvaart \"Noord\", oud", "--mode", "live"];
        let token = program.json(&issue)["token"].as_str().expect("a token").to_owned();
        // Twice: the second server adds to what the first one wrote.
        for _ in 0..2 {
            let serving = program.serve();
            serving.data(&token, READ, json!({ "id": "gid://service/Card/1" })).await;
            assert!(serving.terminate(), "the server stops in order");
        }

        let export = program.json(&["usage", "export"]);
        let today = export["to"].as_str().expect("a day").to_owned();
        let uses = export["uses"].as_array().expect("a list");
        let named: Vec<_> = uses.iter().map(|one| one["coordinate"].as_str().expect("a coordinate")).collect();
        assert_eq!(named, ["Card.status", "Query", "Query.card", "Query.card(id:)"]);
        let expected = json!({
            "partner": "Uitvaart \"Noord\", oud", "keyMode": "live", "version": "2026-10", "day": today,
            "coordinate": "Card.status", "count": 2,
        });
        assert_eq!(uses[0], expected);

        // The check reads the export.
        let usage = Usage::parse(&export.to_string()).expect("the export is read");
        let day = today.parse().expect("a day");
        for at in ["Card.status", "Card", "Query.card(id:)", "Theme", "CardStatus"] {
            let notes = usage.notes("2026-10", &[at.to_owned()], day);
            let used = notes[0].starts_with(&format!("Uitvaart \"Noord\", oud (live key) used `{at}` 2 times"));
            assert_eq!(used, !["Theme", "CardStatus"].contains(&at), "{notes:?}");
        }

        let shown = program.text(&["usage", "show", "--version", "2026-10", "--at", "Card"]);
        let line = shown.lines().find(|line| line.starts_with("Card.status")).unwrap_or_else(|| panic!("{shown}"));
        assert!(line.contains("Noord") && line.contains(" 2 ") && line.contains(&today), "{line}");
        assert!(!shown.contains("Query.card"), "{shown}");
        let nothing = program.text(&["usage", "show", "--version", "2027-01"]);
        assert!(nothing.contains("does not mean that no partner uses it"), "{nothing}");
    }

    async fn export_of_chosen_days_holds_those_days(database: FreshDatabase) {
        let program = Program::on(&database);
        program.json(&["partner", "list"]);
        for (day, count) in [("2026-10-01", 1), ("2026-10-31", 2), ("2026-11-30", 4)] {
            let id = match database.url.starts_with("sqlite") {
                true => "x'00000000000000000000000000000001'",
                false => "'00000000-0000-0000-0000-000000000001'",
            };
            let row = format!("INSERT INTO usage VALUES ('{day}', '2026-10', {id}, 'test', 'Query', {count})");
            crate::app::tamper(&database.url, &row).await;
        }
        let counts = |arguments: &[&str]| {
            let export = program.json(&[&["usage", "export"], arguments].concat());
            let counts = export["uses"].as_array().expect("a list").iter().map(|one| one["count"].clone()).collect();
            (export["from"].clone(), export["to"].clone(), Value::Array(counts))
        };
        let days = |from: &str, to: &str, counts: Value| (json!(from), json!(to), counts);
        assert_eq!(counts(&["--from", "2026-10-01", "--to", "2026-10-31"]), days("2026-10-01", "2026-10-31", json!([1, 2])));
        assert_eq!(counts(&["--to", "2026-11-30"]), days("2026-10-31", "2026-11-30", json!([2, 4])));
        // Before the first count nothing is known, and the export does not claim otherwise.
        assert_eq!(counts(&["--from", "2026-01-01", "--to", "2026-10-15"]), days("2026-10-01", "2026-10-15", json!([1])));
        program.refused(&["usage", "export", "--from", "2026-02-30"]);
        // A partner that is gone is named by its id.
        let export = program.json(&["usage", "export", "--from", "2026-10-01", "--to", "2026-10-01"]);
        assert_eq!(export["uses"][0]["partner"], "00000000-0000-0000-0000-000000000001");
    }
}
