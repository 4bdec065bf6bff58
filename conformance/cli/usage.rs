//! `usage show`, and `cargo schema check --usage` on what it prints.

use chrono::{Days, NaiveDate};
use dated_graphql_tool::usage::Usage;
use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program};

const READ: &str = "query($id: ID!) { card(id: $id) { status } }";

on_both_databases! {
    async fn usage_is_written_at_shutdown_and_read_by_the_schema_check(database: FreshDatabase) {
        let program = Program::new(&database);
        let empty = program.json(&["usage", "show"]);
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

        let export = program.json(&["usage", "show"]);
        let today = export["to"].as_str().expect("a day").to_owned();
        let uses = export["uses"].as_array().expect("a list");
        let named: Vec<_> = uses.iter().map(|one| one["coordinate"].as_str().expect("a coordinate")).collect();
        assert_eq!(named, ["Card.status", "Query", "Query.card", "Query.card(id:)"]);
        let expected = json!({
            "client": "Uitvaart \"Noord\", oud (live key)", "partner": "Uitvaart \"Noord\", oud", "keyMode": "live", "version": "2026-10", "day": today,
            "coordinate": "Card.status", "count": 2,
        });
        assert_eq!(uses[0], expected);

        // The tool reads it.
        let (day, read) = (today.parse().expect("a day"), Usage::parse(&export.to_string()).expect("the export is read"));
        for at in ["Card.status", "Card", "Query.card(id:)", "Theme", "CardStatus"] {
            let notes = read.notes("2026-10", &[at.to_owned()], day);
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

    async fn chosen_days_and_parts_are_shown(database: FreshDatabase) {
        let program = Program::new(&database);
        program.json(&["partner", "list"]);
        let today = program.json(&["usage", "show"])["to"].as_str().expect("a day").parse::<NaiveDate>().expect("a day");
        let id = match database.url.starts_with("sqlite") {
            true => "x'00000000000000000000000000000001'",
            false => "'00000000-0000-0000-0000-000000000001'",
        };
        for (days, coordinate, count) in [(60, "Query", 1), (40, "Query.card", 2), (20, "Card", 4)] {
            let day = today - Days::new(days);
            let row = format!("INSERT INTO usage VALUES ('{day}', '2026-10', {id}, 'test', '{coordinate}', {count})");
            crate::app::tamper(&database.url, &row).await;
        }
        let shown = |arguments: &[&str]| {
            let shown = program.json(&[&["usage", "show"], arguments].concat());
            let counts = shown["uses"].as_array().expect("a list").iter().map(|one| one["count"].clone()).collect();
            let day = |name: &str| -> NaiveDate { shown[name].as_str().expect("a day").parse().expect("a day") };
            ((day("to") - day("from")).num_days(), Value::Array(counts))
        };
        assert_eq!(shown(&[]), (30, json!([4])));
        assert_eq!(shown(&["--days", "50"]), (50, json!([2, 4])));
        assert_eq!(shown(&["--days", "50", "--at", "Query"]), (50, json!([2])));
        assert_eq!(shown(&["--days", "50", "--version", "2027-01"]), (50, json!([])));
        // Before the first count nothing is known, and the answer does not claim otherwise.
        assert_eq!(shown(&["--days", "300"]), (60, json!([1, 2, 4])));
        program.expect_failure(&["usage", "show", "--version", "2025-01"]);
        // A partner without an account is named by its id.
        let shown = program.json(&["usage", "show"]);
        assert_eq!(shown["uses"][0]["partner"], "00000000-0000-0000-0000-000000000001");
    }
}
