//! `version list`, `version deprecate`, `version retire`, `version restore`, with a running server.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program, Serving};

const PING: &str = "{ __typename }";

/// Asks until the answer is as expected; a server follows within seconds.
async fn until(serving: &Serving, token: &str, status: u16, deprecated: bool) {
    let asked = Instant::now();
    loop {
        let answer = serving.send(token, PING, Value::Null).await;
        if answer.status == status && answer.header("deprecation").is_some() == deprecated {
            return;
        }
        assert!(asked.elapsed() < Duration::from_secs(10), "{} {:?}", answer.status, answer.header("deprecation"));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

on_both_databases! {
    async fn running_server_follows_what_the_operator_decides(database: FreshDatabase) {
        let program = Program::on(&database);
        let serving = program.serve();
        program.json(&["partner", "add", "Noord"]);
        let token = program.json(&["key", "issue", "--partner", "Noord", "--mode", "live"])["token"].clone();
        let token = token.as_str().expect("a token");
        until(&serving, token, 200, false).await;

        let far = "2099-12-31";
        let decided = program.json(&["version", "deprecate", "2026-10", "--sunset", far, "--link", "https://a.example/"]);
        assert_eq!(decided["version"]["status"], "deprecated");
        until(&serving, token, 200, true).await;
        let listed = program.json(&["version", "list"]);
        let listed = &listed["versions"][0];
        assert_eq!((&listed["status"], &listed["sunset"]), (&json!("deprecated"), &json!(far)));
        assert_eq!((&listed["link"], &listed["retiredAt"]), (&json!("https://a.example/"), &Value::Null));

        // What a server counted, it writes when it stops; a server that starts knows what was decided.
        assert!(serving.terminate());
        let serving = program.serve();
        until(&serving, token, 200, true).await;
        let refused = program.run(&["version", "retire", "2026-10"]);
        let said = String::from_utf8(refused.stderr).expect("UTF-8");
        assert!(!refused.status.success() && said.contains("Noord used it with a live key, last on "), "{said}");
        assert!(said.contains(far) && said.contains("--force"), "{said}");
        let listed = program.run(&["version", "list"]);
        assert!(String::from_utf8(listed.stdout).expect("UTF-8").contains("Noord (last "));
        until(&serving, token, 200, true).await;

        program.json(&["version", "retire", "2026-10", "--force"]);
        until(&serving, token, 404, false).await;
        program.json(&["version", "restore", "2026-10"]);
        until(&serving, token, 200, false).await;
    }
}
