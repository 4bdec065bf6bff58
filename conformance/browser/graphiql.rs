//! GraphiQL, installed from npm at the time of the test: it opens, completes and sends under the page's own policy, and keeps
//! nothing; in the demo without a word typed.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::axe::assert_accessible;
use super::chromium::{Chromium, Kind};
use super::stage::Stage;
use crate::app::{FreshDatabase, Program, lines_of, wait_for};

/// The time limit for npm on a busy machine.
const INSTALLED_WITHIN: Duration = Duration::from_secs(150);

/// A command that finds npm, and its registry, as a shell of this machine does.
fn with_npm(mut command: Command) -> Command {
    let npm = |name: &str| matches!(name, "PATH" | "HOME") || name.to_lowercase().starts_with("npm_config_");
    command.envs(std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(npm)));
    command
}

async fn until(browser: &Chromium, script: &str) {
    wait_for(script, || async { (browser.ask(script).await == true).then_some(()) }).await;
}

on_sqlite! {
    async fn query_is_sent_with_a_token_that_stays_in_the_page(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let install = Program::with(&database.url, database.folder.path()).command(&["graphiql", "install"]);
        let installed = with_npm(install).output().expect("the binary runs");
        assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));
        let browser = Chromium::start(Kind { script: true, width: 1280 }).await;
        browser.open(&stage.url("/graphiql")).await;
        browser.says("Try the API").await;
        assert_eq!(browser.ask("return document.getElementById('token').value").await, "", "only a demo fills it in");
        assert_accessible(&browser).await;
        let watch = "window.refused = []; addEventListener('securitypolicyviolation', (e) => refused.push(e.blockedURI))";
        browser.ask(watch).await;
        browser.fill("token", stage.token()).await;
        browser.click("main button").await;
        until(&browser, "return document.querySelector('.graphiql-execute-button') !== null").await;
        browser.click(".graphiql-execute-button").await;
        until(&browser, "return document.querySelector('.result-window').textContent.includes('gid://service/Theme/')")
            .await;

        let refused = browser.ask("return refused").await;
        assert_eq!(refused, Value::Array(vec![]), "the page asks for nothing that its policy refuses");
        let kept = browser.ask("return [localStorage.length, sessionStorage.length, document.cookie]").await;
        assert_eq!(kept, serde_json::json!([0, 0, ""]), "nothing is kept in the browser");
        let hosts = "return [...new Set(performance.getEntriesByType('resource').map((e) => new URL(e.name).host))]";
        assert_eq!(browser.ask(hosts).await.as_array().map(Vec::len), Some(1), "everything comes from the service");
        browser.stop().await;
    }

    async fn demo_opens_graphiql_with_its_key_and_a_query_that_works(database: FreshDatabase) {
        let program = Program::with("", database.folder.path());
        let mut demo = with_npm(program.command(&["demo", "--json"])).stdout(Stdio::piped()).spawn().expect("it starts");
        let lines = lines_of(&mut demo);
        let address = loop {
            let line = lines.recv_timeout(INSTALLED_WITHIN).expect("GraphiQL is fetched");
            let object: Value = serde_json::from_str(&line).expect("JSON");
            if let Some(address) = object["graphiql"].as_str() {
                break address.to_owned();
            }
        };
        let browser = Chromium::start(Kind { script: true, width: 1280 }).await;
        browser.open(&address).await;
        until(&browser, "return document.querySelector('.graphiql-execute-button') !== null").await;
        browser.click(".graphiql-execute-button").await;
        until(&browser, "return document.querySelector('.result-window').textContent.includes('gid://service/Theme/')")
            .await;
        browser.stop().await;
        let _ = demo.kill();
        let _ = demo.wait();
    }
}
