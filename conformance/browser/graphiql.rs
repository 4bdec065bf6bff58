//! GraphiQL, installed from npm at the time of the test as docs/trying.md says: it opens, completes and sends under the
//! page's own policy, and keeps nothing.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::axe::assert_accessible;
use super::chromium::{Chromium, Kind};
use super::stage::Stage;
use crate::app::FreshDatabase;

/// As docs/trying.md tells it; the folder is that of the test.
fn install(data_dir: &Path) {
    let told =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/trying.md")).expect("there is a page");
    let line = told.lines().find_map(|line| line.trim().strip_prefix("npm ")).expect("it tells how to install");
    let folder = data_dir.join("graphiql").display().to_string();
    let line = line.replace("./data/graphiql", &folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let quiet = ["--no-audit", "--no-fund", "--silent", "--fetch-retries=2", "--fetch-timeout=60000"];
    let installed = Command::new("npm").args(line.split(' ')).args(quiet).status();
    assert!(installed.is_ok_and(|status| status.success()), "npm installs GraphiQL");
}

async fn until(browser: &Chromium, script: &str) {
    for _ in 0..600 {
        if browser.ask(script).await == true {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{script}: {}", browser.text().await);
}

on_sqlite! {
    async fn query_is_sent_with_a_token_that_stays_in_the_page(database: FreshDatabase) {
        install(database.folder.path());
        let stage = Stage::set(&database);
        let browser = Chromium::start(Kind { script: true, width: 1280 }).await;
        browser.open(&stage.url("/graphiql")).await;
        browser.says("Try the API").await;
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
}
