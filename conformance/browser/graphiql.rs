//! The demo's GraphiQL, fetched from npm: it sends a query with the demo's key, keeps nothing, and has no second address.

use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use super::chromium::{Chromium, Kind};
use crate::app::{FreshDatabase, Program, http_client, lines_of, wait_for};

async fn until(browser: &Chromium, script: &str) {
    wait_for(script, || async { (browser.ask(script).await == true).then_some(()) }).await;
}

on_sqlite! {
    async fn demo_opens_graphiql_with_its_key_at_the_printed_address_alone(database: FreshDatabase) {
        let mut demo = Program::with("", database.folder.path()).command(&["demo", "--json"]);
        // As a shell of this machine finds npm and its registry.
        let npm = |name: &str| matches!(name, "PATH" | "HOME") || name.to_lowercase().starts_with("npm_config_");
        demo.envs(std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(npm)));
        let mut demo = demo.stdout(Stdio::piped()).spawn().expect("it starts");
        let lines = lines_of(&mut demo);
        let address = loop {
            let line = lines.recv_timeout(Duration::from_secs(150)).expect("GraphiQL is fetched");
            if let Some(address) = serde_json::from_str::<Value>(&line).expect("JSON")["graphiql"].as_str() {
                break address.to_owned();
            }
        };
        let (page, nonce) = address.split_once("?demo=").expect("a nonce");
        for other in [page.to_owned(), format!("{page}?demo="), format!("{page}?demo={}", &nonce[1..])] {
            // As a proxy sends it that names no client.
            let answer = http_client().get(&other).send().await.expect("an answer");
            assert_eq!(answer.status(), 404, "{other}");
            assert!(!answer.text().await.expect("a text").contains("pcs_test_"), "{other}");
        }
        let browser = Chromium::start(Kind { script: true, width: 1280 }).await;
        browser.open(&address).await;
        until(&browser, "return document.querySelector('.graphiql-execute-button') !== null").await;
        browser.click(".graphiql-execute-button").await;
        until(&browser, "return document.querySelector('.result-window').textContent.includes('gid://service/Theme/')")
            .await;
        let kept = browser.ask("return [localStorage.length, sessionStorage.length, document.cookie]").await;
        assert_eq!(kept, serde_json::json!([0, 0, ""]), "nothing is kept in the browser");
        browser.stop().await;
        let _ = demo.kill();
        let _ = demo.wait();
    }
}
