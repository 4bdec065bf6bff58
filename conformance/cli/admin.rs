//! `admin link`, `admin list`, `admin revoke`, with a running server.

use serde_json::Value;

use crate::app::{FreshDatabase, Program, free_addresses, http_client};

fn states(program: &Program) -> Vec<Value> {
    let listed = program.json(&["admin", "list"]);
    listed["sessions"].as_array().expect("a list").iter().map(|session| session["state"].clone()).collect()
}

on_both_databases! {
    async fn link_of_the_command_opens_the_running_server(database: FreshDatabase) {
        let [address] = free_addresses();
        let program = Program::new(&database).set("ADMIN_LISTEN", &address.to_string()).set("RUST_LOG", "card_service=trace");
        let log = database.folder.path().join("log");
        let _serving = program.serve_with_log(&log);
        let made = program.json(&["admin", "link", "--name", "Piet"]);
        let url = made["url"].as_str().expect("a text").to_owned();
        assert!(url.starts_with(&format!("http://{address}/admin/open/")) && made["operator"] == "Piet", "{made}");
        let text = program.text(&["admin", "link", "--name", "Els"]);
        assert!(text.contains("opens the administration for \"Els\" once, until 20"), "{text}");
        assert_eq!(states(&program), ["unused", "unused"]);

        let opened = http_client().get(&url).send().await.expect("the server answers");
        assert_eq!(opened.status().as_u16(), 303);
        let cookie = opened.headers()["set-cookie"].to_str().expect("ASCII").split(';').next().expect("a cookie").to_owned();
        let get = async || {
            let request = http_client().get(format!("http://{address}/admin")).header("cookie", &cookie);
            request.send().await.expect("the server answers").status().as_u16()
        };
        assert_eq!((get().await, states(&program)), (200, vec!["unused".into(), "open".into()]));
        let listed = program.json(&["admin", "list"]).to_string();
        let token = url.rsplit('/').next().expect("a token");
        let secrets = [token, cookie.strip_prefix("admin=").expect("the name of the cookie")];
        assert!(!secrets.iter().any(|secret| listed.contains(secret)), "{listed}");
        let log = std::fs::read_to_string(&log).expect("a log");
        assert!(log.contains("administration") && !secrets.iter().any(|secret| log.contains(secret)), "{log}");

        assert_eq!(program.json(&["admin", "revoke", "--name", "Piet"])["ended"], 1);
        assert_eq!((get().await, states(&program)), (403, vec!["unused".into(), "ended".into()]));
        program.expect_failure(&["admin", "revoke", "--name", "Piet"]);
        let commands: Vec<_> = program.audit_records().into_iter().map(|(command, ..)| command).collect();
        assert_eq!(commands, ["init", "admin link", "admin link", "admin revoke"]);
    }
}

on_sqlite! {
    async fn link_needs_an_administration_and_a_name(database: FreshDatabase) {
        let off = Program::new(&database);
        assert!(off.expect_failure(&["admin", "link", "--name", "Piet"]).contains("ADMIN_LISTEN is not set"));
        let program = off.set("ADMIN_LISTEN", "127.0.0.1:8081");
        for arguments in [
            &["admin", "link"][..],
            &["admin", "link", "--name", " "],
            &["admin", "link", "--name", "a\u{1b}b"],
            &["admin", "link", "--name", "Pi\u{202e}et"],
            &["admin", "link", "--name", &"a".repeat(256)],
            &["admin", "revoke"],
            &["admin"],
        ] {
            program.expect_failure(arguments);
        }
        assert_eq!(states(&program), [] as [Value; 0]);
        let exposed = program.set("ADMIN_LISTEN", "0.0.0.0:8081");
        assert!(exposed.expect_failure(&["serve"]).contains("ADMIN_LISTEN: must be on the loopback"));
    }
}
