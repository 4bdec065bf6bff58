//! `version list`, `version deprecate`, `version retire`, with a running server.

use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program, Serving, wait_for};

/// Asks until the answer is as expected; a server follows within seconds.
async fn until(serving: &Serving, token: &str, status: u16, deprecated: bool) {
    let is_so = || async {
        let answer = serving.send(token, "{ __typename }", Value::Null).await;
        (answer.status == status && answer.header("deprecation").is_some() == deprecated).then_some(())
    };
    wait_for(&format!("{status}, deprecated: {deprecated}"), is_so).await;
}

on_both_databases! {
    async fn running_server_follows_what_the_operator_decides(database: FreshDatabase) {
        let program = Program::new(&database);
        let serving = program.serve();
        let token = &program.token("live");
        until(&serving, token, 200, false).await;

        let far = "2099-12-31";
        let decided = program.json(&["version", "deprecate", "2026-10", "--sunset", far, "--link", "https://a.example/"]);
        assert_eq!(decided["version"]["status"], "deprecated");
        until(&serving, token, 200, true).await;
        let listed = program.json(&["version", "list"]);
        let listed = &listed["versions"][0];
        assert_eq!((&listed["status"], &listed["sunset"]), (&json!("deprecated"), &json!(far)));
        assert_eq!((&listed["link"], &listed["retiredAt"]), (&json!("https://a.example/"), &Value::Null));

        // A server writes its counts when it stops, and reads the decisions when it starts.
        assert!(serving.terminate());
        let serving = program.serve();
        until(&serving, token, 200, true).await;
        let said = program.expect_failure(&["version", "retire", "2026-10"]);
        assert!(said.contains("Noord used it with a live key, last on "), "{said}");
        assert!(said.contains(far) && said.contains("--force"), "{said}");
        assert!(program.text(&["version", "list"]).contains("Noord (last "));
        until(&serving, token, 200, true).await;

        program.json(&["version", "retire", "2026-10", "--force"]);
        until(&serving, token, 404, false).await;
        program.json(&["version", "deprecate", "2026-10", "--undo"]);
        until(&serving, token, 200, false).await;
    }
}
