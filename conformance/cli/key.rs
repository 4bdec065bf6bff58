//! `key issue`, `key list`, `key revoke`, with a running server.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program, tamper};

const PING: &str = "{ __typename }";

on_both_databases! {
    async fn key_issued_to_a_running_server_works_until_revoked(database: FreshDatabase) {
        let program = Program::new(&database);
        let serving = program.serve();
        program.json(&["partner", "add", "Noord"]);
        let ((live, _), (test, _)) = (program.key("live"), program.key("test"));
        assert!(live.starts_with("pcs_live_") && test.starts_with("pcs_test_"), "{live} {test}");
        assert_eq!((live.len(), test.len()), (45, 45));
        for (token, is_test) in [(&live, false), (&test, true)] {
            let gid = serving.create(token, json!({ "externalDossierId": token })).await;
            let data = serving.data(token, "query ($id: ID!) { card(id: $id) { test } }", json!({ "id": gid })).await;
            assert_eq!(data["card"]["test"], is_test, "{data}");
        }

        let listed = program.json(&["key", "list", "--partner", "Noord"]);
        let keys = listed["keys"].as_array().expect("a list");
        assert_eq!(keys.len(), 2, "{listed}");
        for (token, key) in [&live, &test].into_iter().zip(keys) {
            assert!(!listed.to_string().contains(token.as_str()), "a token is shown once");
            assert_eq!(key["lastFour"], token[token.len() - 4..], "the oldest first: {listed}");
        }

        assert_eq!(keys[0]["mode"], "live", "{listed}");
        program.json(&["key", "revoke", keys[0]["id"].as_str().expect("an id")]);
        let revoked = Instant::now();
        while serving.send(&live, PING, Value::Null).await.status != 401 {
            assert!(revoked.elapsed() < Duration::from_secs(5), "a revoked key still works after 5 s");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(serving.data(&test, PING, Value::Null).await, json!({ "__typename": "Query" }));
        let listed = program.json(&["key", "list", "--partner", "Noord"]);
        let keys = listed["keys"].as_array().expect("a list");
        assert!(keys.iter().all(|key| (key["mode"] == "live") != key["revokedAt"].is_null()), "{listed}");
    }

    async fn key_of_a_partner_or_a_mode_that_is_not_there_is_refused(database: FreshDatabase) {
        let program = Program::new(&database);
        program.json(&["partner", "add", "Noord"]);
        for arguments in [
            &["key", "issue", "--partner", "Zuid", "--mode", "live"][..],
            &["key", "issue", "--partner", "Noord", "--mode", "demo"],
            &["key", "issue", "--partner", "Noord"],
            &["key", "issue", "--partner", "Noord", "--mode", "live", "--label", " "],
            &["key", "issue", "--partner", "Noord", "--mode", "live", "--label", "a\u{1b}b"],
            &["key", "list", "--partner", "Zuid"],
            &["key", "revoke", "00000000-0000-7000-8000-000000000000"],
            &["key", "revoke", "é"],
        ] {
            program.expect_failure(arguments);
        }
    }

    async fn key_is_named_by_its_last_four_characters_if_one_has_them(database: FreshDatabase) {
        let program = Program::new(&database);
        program.json(&["partner", "add", "Noord"]);
        let ids = [program.key("live").1, program.key("test").1];
        tamper(&database.url, "UPDATE access_keys SET last_four = 'aB3x'").await;
        for (which, said) in [
            ("abcde", "neither the id of a key nor the last four characters".to_owned()),
            ("a-b!", "neither the id of a key nor the last four characters".to_owned()),
            ("aB3y", "There is no key \"aB3y\".".to_owned()),
            ("aB3x", format!("2 keys end in \"aB3x\". Name one by its id: {}.", ids.join(", "))),
        ] {
            let refused = program.expect_failure(&["key", "revoke", which]);
            assert!(refused.contains(&said), "{which}: {refused}");
        }
        let first = program.json(&["key", "revoke", &ids[0]]);
        assert_eq!(program.json(&["key", "revoke", "aB3x"])["key"]["id"], ids[1], "the one that is not revoked");
        assert_eq!(program.json(&["key", "revoke", &ids[0]]), first, "revoking again changes nothing");
    }
}
