//! `session list`, `session revoke`, and what `key revoke` ends, with a running server.

use serde_json::{Value, json};

use crate::app::family::customizer;
use crate::app::{FreshDatabase, Program, Serving, http_client};

async fn get(serving: &Serving, path: &str, cookie: &str) -> (u16, String) {
    let request = http_client().get(format!("{}{path}", serving.base)).header("cookie", cookie);
    let answer = request.send().await.expect("the server answers");
    let cookie = answer.headers().get("set-cookie").and_then(|line| line.to_str().ok()).unwrap_or_default();
    let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
    (answer.status().as_u16(), cookie)
}

fn sessions(program: &Program, of: &[&str]) -> Vec<Value> {
    let listed = program.json(&[&["session", "list"], of].concat());
    listed["sessions"].as_array().unwrap_or_else(|| panic!("{listed}")).clone()
}

on_both_databases! {
    async fn open_sessions_are_listed_without_tokens_and_ended(database: FreshDatabase) {
        let program = Program::new(&database);
        let serving = program.serve();
        program.json(&["partner", "add", "Noord"]);
        let ((one, one_id), (two, two_id)) = (program.key("live"), program.key("live"));
        let gid = serving.create(&one, json!({ "externalDossierId": "1" })).await;
        let customizer = customizer(&gid, "overledene");
        let link = async |token| serving.link(token, &gid, "CUSTOMIZER").await;
        let (opened, unused, others) = (link(&one).await, link(&one).await, link(&two).await);
        let (status, cookie) = get(&serving, &opened, "").await;
        assert_eq!(status, 303);
        assert_eq!(get(&serving, &customizer, &cookie).await.0, 200);

        let listed = sessions(&program, &["--card", &gid]);
        assert_eq!(listed.len(), 3, "{listed:?}");
        assert_eq!(sessions(&program, &["--partner", "Noord"]), listed);
        let of_one = sessions(&program, &["--key", &one_id]);
        assert_eq!(of_one.len(), 2, "{of_one:?}");
        for session in &of_one {
            assert_eq!((&session["key"], &session["card"], &session["target"]), (&json!(one_id), &json!(gid), &json!("CUSTOMIZER")));
        }
        let value = cookie.split('=').nth(1).expect("a cookie");
        let all = program.text(&["session", "list", "--card", &gid])
            + &json!(listed).to_string();
        for secret in [value, &opened[3..], &unused[3..], &others[3..], one.as_str(), &two] {
            assert!(!all.contains(secret), "{all}");
        }

        // One by its id: the browser is out, the link still opens.
        let browser = of_one.iter().find(|session| session["kind"] == "browser").expect("a browser");
        let id = browser["id"].as_str().expect("an id");
        assert_eq!(program.json(&["session", "revoke", id])["ended"], 1);
        assert_eq!(get(&serving, &customizer, &cookie).await.0, 403);
        assert_eq!(sessions(&program, &["--card", &gid]).len(), 2);
        for wrong in [id, "0000000000000000", "nonsense", ""] {
            program.expect_failure(&["session", "revoke", wrong]);
        }

        // All of a key: its link has expired, the other key's opens.
        assert_eq!(program.json(&["session", "revoke", "--key", &one_id])["ended"], 1);
        assert_eq!(get(&serving, &unused, "").await.0, 410);
        let (status, cookie) = get(&serving, &others, "").await;
        assert_eq!(status, 303);

        // A revoked key's sessions are closed.
        program.json(&["key", "revoke", &two_id]);
        assert_eq!(get(&serving, &customizer, &cookie).await.0, 403);
        assert_eq!(sessions(&program, &["--partner", "Noord"]), [] as [Value; 0]);
        assert_eq!(program.json(&["session", "revoke", "--card", &gid])["ended"], 0);
        let records = program.audit_records();
        let is_noted = |id: &str| records.iter().any(|(command, subject, _)| command == "session revoke" && subject == id);
        assert!(is_noted(id) && is_noted(&one_id), "{records:?}");
    }
}
