//! A Chromium of one test, driven by a chromedriver of its own.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use fantoccini::actions::{InputSource as _, KeyAction, KeyActions};
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tempfile::TempDir;
use url::{ParseError, Url};

use crate::app::lines_of;

/// How long a browser may take on a busy machine.
const WITHIN: Duration = Duration::from_secs(60);

/// What kind of browser somebody has.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub script: bool,
    /// Width of the screen in CSS pixels.
    pub width: u32,
}

/// A browser with one page.
pub struct Chromium {
    pub page: Client,
    pub runs_script: bool,
    driver: Driver,
    _profile: TempDir,
}

/// The process; it is ended by its own id.
struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Chromium {
    pub async fn start(kind: Kind) -> Self {
        let mut child = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed: `bash .ci/test` does that");
        let lines = lines_of(&mut child);
        let driver = Driver(child);
        let port = loop {
            let line = lines.recv_timeout(WITHIN).expect("chromedriver says on which port it listens");
            if let Some((_, port)) = line.split_once("successfully on port ") {
                break port.trim_end_matches('.').to_owned();
            }
        };
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities(kind, &profile));
        let page = builder.connect(&format!("http://127.0.0.1:{port}")).await.expect("Chromium starts");
        Self { page, runs_script: kind.script, driver, _profile: profile }
    }

    pub async fn stop(self) {
        let Self { page, driver, .. } = self;
        let _ = page.close().await;
        drop(driver);
    }

    pub async fn open(&self, url: &str) {
        self.page.goto(url).await.expect("the page opens");
    }

    /// The path of the page that is shown.
    pub async fn path(&self) -> String {
        self.page.current_url().await.expect("a page is shown").path().to_owned()
    }

    /// Waits until the path of the page ends so: a form was sent, and led on.
    pub async fn until(&self, end: &str) {
        for _ in 0..600 {
            if self.path().await.ends_with(end) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{} does not become …{end}: {}", self.path().await, self.text().await);
    }

    /// The text of the page.
    pub async fn text(&self) -> String {
        self.ask("return document.body ? document.body.innerText : ''").await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the page says this: a form was sent, and the same page came back.
    pub async fn says(&self, words: &str) {
        for _ in 0..600 {
            if self.text().await.contains(words) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{} does not say {words:?}: {}", self.path().await, self.text().await);
    }

    /// Presses and lets go of a key, wherever the focus is.
    pub async fn key(&self, value: char) {
        let keys = KeyActions::new("keyboard".to_owned()).then(KeyAction::Down { value }).then(KeyAction::Up { value });
        self.page.perform_actions(keys).await.expect("a key can be pressed");
    }

    pub async fn click(&self, css: &str) {
        let found = self.page.find(Locator::Css(css)).await.unwrap_or_else(|e| panic!("no {css}: {e}"));
        found.click().await.unwrap_or_else(|e| panic!("{css} cannot be clicked: {e}"));
    }

    pub async fn fill(&self, id: &str, text: &str) {
        let field = self.page.find(Locator::Id(id)).await.unwrap_or_else(|e| panic!("no #{id}: {e}"));
        field.clear().await.expect("a field can be cleared");
        field.send_keys(text).await.expect("a field can be filled in");
    }

    /// Types into a field; a path into a field for files.
    pub async fn type_into(&self, css: &str, text: &str) {
        let found = self.page.find(Locator::Css(css)).await.unwrap_or_else(|e| panic!("no {css}: {e}"));
        found.send_keys(text).await.unwrap_or_else(|e| panic!("{css} takes no text: {e}"));
    }

    /// Shows the page as on paper (`print`), or as on a `screen` again.
    pub async fn media(&self, kind: &str) {
        self.devtools("Emulation.setEmulatedMedia", json!({ "media": kind })).await;
    }

    /// The whole page as a PNG, as far down as it goes.
    pub async fn picture(&self) -> Vec<u8> {
        let taken = self.devtools("Page.captureScreenshot", json!({ "captureBeyondViewport": true })).await;
        BASE64.decode(taken["data"].as_str().expect("a picture")).expect("base64")
    }

    async fn devtools(&self, method: &'static str, params: Value) -> Value {
        self.page.issue_cmd(DevTools { method, params }).await.expect("Chromium knows the command")
    }

    /// Runs a script beside the page, whether or not the page may run any.
    pub async fn ask(&self, script: &str) -> Value {
        self.page.execute(script, vec![]).await.expect("the script runs")
    }
}

/// A command of the Chrome DevTools Protocol, through chromedriver.
#[derive(Debug)]
struct DevTools {
    method: &'static str,
    params: Value,
}

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(json!({ "cmd": self.method, "params": self.params }).to_string()))
    }
}

fn capabilities(kind: Kind, profile: &TempDir) -> serde_json::Map<String, Value> {
    let mut arguments = vec![
        "--headless=new".to_owned(),
        "--no-sandbox".to_owned(), // a container's root has no other way
        "--disable-dev-shm-usage".to_owned(),
        format!("--user-data-dir={}", profile.path().display()),
    ];
    let mut options = serde_json::Map::new();
    if kind.width < 500 {
        let metrics = json!({ "width": kind.width, "height": 740, "pixelRatio": 2.0, "touch": true, "mobile": true });
        options.insert("mobileEmulation".to_owned(), json!({ "deviceMetrics": metrics }));
    } else {
        arguments.push(format!("--window-size={},900", kind.width));
    }
    if !kind.script {
        let never = json!({ "profile.managed_default_content_settings.javascript": 2 });
        options.insert("prefs".to_owned(), never);
    }
    options.insert("args".to_owned(), json!(arguments));
    let capabilities = json!({ "browserName": "chrome", "goog:chromeOptions": options });
    capabilities.as_object().expect("an object").clone()
}
