//! axe-core, from npm at the time of the test: no page may break a rule of WCAG 2.2 A or AA that it can find.

use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

use super::chromium::Chromium;

/// The rules that axe-core checks on every page.
const RULES: &str = r#"["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]"#;

fn source() -> &'static str {
    static SOURCE: OnceLock<String> = OnceLock::new();
    SOURCE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder for axe-core");
        let installed = Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--no-package-lock", "--silent", "axe-core@4"])
            .current_dir(folder.path())
            .status();
        assert!(installed.is_ok_and(|status| status.success()), "npm installs axe-core");
        let file = folder.path().join("node_modules/axe-core/axe.min.js");
        std::fs::read_to_string(file).expect("axe-core is one file")
    })
}

/// Asserts that the current page has no violation, and fits the screen.
pub async fn assert_accessible(browser: &Chromium) {
    if browser.runs_script {
        assert_no_violation(browser, RULES).await;
    }
    assert_fits(browser).await;
}

/// Asserts that the current page does not scroll sideways.
pub async fn assert_fits(browser: &Chromium) {
    let path = browser.path().await;
    let wide = browser.ask("return document.documentElement.scrollWidth > window.innerWidth").await;
    assert_eq!(wide, Value::Bool(false), "{path} scrolls sideways");
}

/// Asserts that every part of the page is in a landmark.
pub async fn assert_in_landmarks(browser: &Chromium) {
    assert_no_violation(browser, r#"{ "type": "rule", "values": ["region"] }"#).await;
}

/// Not for a browser without script, whose timers stand still: axe-core waits for them. Its pages are the same.
async fn assert_no_violation(browser: &Chromium, rules: &str) {
    let script = format!(
        "{}; const done = arguments[arguments.length - 1];
         // At the end of the page the sticky bar covers nothing.
         const place = window.scrollY;
         window.scrollTo(0, document.documentElement.scrollHeight);
         const end = (found) => {{ window.scrollTo(0, place); done(found); }};
         axe.run(document, {{ runOnly: {rules} }}).then(
             (found) => end(found.violations.map((rule) => [rule.id, rule.nodes.map((node) => node.html)])),
             (error) => end([String(error)]));",
        source()
    );
    let found = browser.ask_later(&script).await;
    let path = browser.path().await;
    assert_eq!(found, Value::Array(vec![]), "{path}");
}
