//! `usage export`, `usage show`, `usage documents`, and `cargo schema check --usage` and `--operations` on the same database.

use std::path::Path;

use schema_tool::check::finding::Findings;
use schema_tool::check::git::Base;
use schema_tool::check::operations::Operations;
use schema_tool::check::project::{Options, check};
use schema_tool::check::usage::Usage;
use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program};

const READ: &str = "query($id: ID!) { card(id: $id) { status } }";

/// Sends an input that has another field in the candidate.
const FOLLOW: &str = "mutation Follow($input: WebhookSubscriptionInput!) {
    webhookSubscriptionCreate(topic: CARDS_CREATE, webhookSubscription: $input) { userErrors { message } }
}";

/// Checks operations against the candidate of this repository, and returns what is found of them.
async fn checked(from: String) -> Vec<(&'static str, String, Vec<String>)> {
    let check = move || -> Findings {
        let operations = Operations::read(&from).expect("there are operations");
        let options = Options {
            root: Path::new(env!("CARGO_MANIFEST_DIR")),
            today: "2026-11-24".parse().expect("a day"),
            base: Base::Nothing,
            usage: None,
            operations: Some(&operations),
            deny: &[],
            publishes: false,
        };
        check(&options).expect("the check runs").findings
    };
    // The check has a runtime of its own, as in its own process.
    let findings = tokio::task::spawn_blocking(check).await.expect("no panic");
    let of_operation = findings.list().into_iter().filter(|finding| finding.rule.starts_with("operation-"));
    of_operation.map(|finding| (finding.rule, finding.message.clone(), finding.notes.clone())).collect()
}

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

        // The file and the database say the same to the check.
        let text = export.to_string();
        let day = today.parse().expect("a day");
        let url = database.url.clone();
        // The check has a runtime of its own, as in its own process.
        let from_database = tokio::task::spawn_blocking(move || Usage::read(&url, day)).await.expect("no panic");
        let from_database = from_database.expect("the database is read");
        let from_file = Usage::parse(&text).expect("the export is read");
        for at in ["Card.status", "Card", "Query.card(id:)", "Theme", "CardStatus"] {
            let affected = [at.to_owned()];
            let notes = from_database.notes("2026-10", &affected, day);
            assert_eq!(notes, from_file.notes("2026-10", &affected, day), "{at}");
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

    async fn documents_are_listed_and_checked_with_their_senders(database: FreshDatabase) {
        let program = Program::on(&database);
        assert!(program.text(&["usage", "documents"]).contains("USAGE_DOCUMENTS is off"));
        let program = program.set("USAGE_DOCUMENTS", "on");
        assert!(program.text(&["usage", "documents"]).contains("every minute"));
        program.json(&["partner", "add", "Noord"]);
        program.json(&["partner", "add", "Zuid"]);
        let token = |partner: &str, mode: &str| {
            let issue = ["key", "issue", "--partner", partner, "--mode", mode];
            program.json(&issue)["token"].as_str().expect("a token").to_owned()
        };
        let serving = program.serve();
        let input = json!({ "callbackUrl": "https://noord.example/hook" });
        for token in [token("Noord", "live"), token("Noord", "test"), token("Zuid", "test")] {
            serving.data(&token, FOLLOW, json!({ "input": input })).await;
        }
        let read = token("Zuid", "live");
        for name in ["Els", "Jan"] {
            serving.data(&read, &format!("{{ {name}: card(id: \"{name}\") {{ status }} }}"), json!({})).await;
        }
        assert!(serving.terminate(), "the server stops in order");

        let export = program.json(&["usage", "documents"]);
        let documents = export["documents"].as_array().expect("a list");
        assert_eq!((&export["format"], documents.len()), (&json!(1), 4));
        let today = documents[0]["lastDay"].as_str().expect("a day").to_owned();
        let expected = json!({
            "partner": "Zuid", "keyMode": "live", "version": "2026-10", "digest": documents[0]["digest"],
            "document": "query {\n  card(id: \"\") {\n    status\n  }\n}\n", "count": 2, "firstDay": today, "lastDay": today,
        });
        assert_eq!(documents[0], expected, "the one that was used more comes first");
        let table = program.text(&["usage", "documents", "--partner", "Noord", "--version", "2026-10"]);
        assert_eq!((table.matches("mutation Follow").count(), table.matches("Zuid").count()), (2, 0), "{table}");
        assert_eq!(program.json(&["usage", "documents", "--version", "2027-01"])["documents"], json!([]));
        program.refused(&["usage", "documents", "--partner", "Nergens"]);
        program.refused(&["usage", "documents", "--version", "2025-01"]);

        // The file and the database say the same to the check.
        let found = checked(database.url.clone()).await;
        let file = database.folder.path().join("documents.json");
        std::fs::write(&file, export.to_string()).expect("the folder can be written");
        assert_eq!(checked(file.display().to_string()).await, found);
        let [(affected, message, notes), (unaffected, .., read)] = &*found else { panic!("{found:?}") };
        assert_eq!((*affected, *unaffected), ("operation-affected", "operation-unaffected"));
        assert!(message.starts_with("operation `Follow` may behave differently in 2027-01"), "{message}");
        let said = |partner: &str, times: &str| format!("{partner} sent it {times} since {today}, last on {today}");
        let senders = ["Noord (live key)", "Noord (test key)", "Zuid (test key)"].map(|sender| said(sender, "once"));
        assert_eq!((&notes[1..], &read[..]), (&senders[..], &[said("Zuid (live key)", "2 times")][..]));
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
