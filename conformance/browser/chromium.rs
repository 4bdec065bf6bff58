//! A Chromium of one test, driven by its chromedriver.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use reqwest::Method;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::app::{http_client, lines_of, wait_for};

/// How long a browser may take on a busy machine.
const WITHIN: Duration = Duration::from_secs(60);

/// How often chromedriver is started before a test fails.
const STARTS: usize = 5;

/// The size of letters that browsers come with, in CSS pixels.
pub const LETTERS: u32 = 16;

/// The key of an element's id in an answer (WebDriver, section 12.1).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// The kind of browser that a visitor uses.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub script: bool,
    /// Width of the screen in CSS pixels.
    pub width: u32,
}

/// A browser with one page.
pub struct Chromium {
    /// The address of the WebDriver session.
    session: String,
    pub runs_script: bool,
    driver: Driver,
    _profile: TempDir,
}

/// The process of chromedriver, ended by its own id.
struct Driver(Child);

impl Driver {
    /// Starts chromedriver; returns it and its port.
    ///
    /// With `--port=0` it takes a free port of IPv6 and ends when another process has the same port of IPv4, which
    /// happens next to many test servers. So it may try again.
    fn start() -> (Self, String) {
        let mut said = Vec::new();
        for _ in 0..STARTS {
            let mut child = Command::new("chromedriver")
                .arg("--port=0")
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .expect("chromedriver is installed: `bash .ci/test` does that");
            let lines = lines_of(&mut child);
            let driver = Self(child);
            while let Ok(line) = lines.recv_timeout(WITHIN) {
                if let Some((_, port)) = line.split_once("successfully on port ") {
                    return (driver, port.trim_end_matches('.').to_owned());
                }
                said.push(line);
            }
        }
        panic!("chromedriver did not start in {STARTS} attempts: {said:#?}");
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Chromium {
    pub async fn start(kind: Kind) -> Self {
        Self::start_with_letters(kind, LETTERS).await
    }

    /// Starts a browser whose owner has set letters of this size, in CSS pixels.
    pub async fn start_with_letters(kind: Kind, letters: u32) -> Self {
        let (driver, port) = Driver::start();
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let driver_url = format!("http://127.0.0.1:{port}/session");
        let wanted = json!({ "capabilities": { "alwaysMatch": capabilities(kind, letters, &profile) } });
        let started = send(Method::POST, &driver_url, Some(wanted)).await.expect("Chromium starts");
        let session = format!("{driver_url}/{}", started["sessionId"].as_str().expect("a session"));
        let browser = Self { session, runs_script: kind.script, driver, _profile: profile };
        if kind.width < WINDOW_WIDTH_MIN && !kind.script {
            let metrics = json!({ "width": kind.width, "height": 740, "deviceScaleFactor": 2, "mobile": false });
            browser.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
        }
        browser
    }

    pub async fn stop(self) {
        let _ = send(Method::DELETE, &self.session, None).await;
        drop(self.driver);
    }

    pub async fn open(&self, url: &str) {
        self.post("url", json!({ "url": url })).await.expect("the page opens");
    }

    pub async fn back(&self) {
        self.post("back", json!({})).await.expect("back works");
    }

    pub async fn reload(&self) {
        self.post("refresh", json!({})).await.expect("the page is loaded again");
    }

    pub async fn delete_cookies(&self) {
        self.command(Method::DELETE, "cookie", None).await.expect("cookies can be deleted");
    }

    /// The handle of the current tab.
    pub async fn tab(&self) -> Value {
        self.command(Method::GET, "window", None).await.expect("a tab")
    }

    /// Opens another tab; returns its handle.
    pub async fn new_tab(&self) -> Value {
        self.post("window/new", json!({ "type": "tab" })).await.expect("another tab")["handle"].take()
    }

    pub async fn switch_to(&self, tab: &Value) {
        self.post("window", json!({ "handle": tab })).await.expect("the tab is open");
    }

    /// The path of the current page.
    pub async fn path(&self) -> String {
        let url = self.command(Method::GET, "url", None).await.expect("a page is shown");
        url::Url::parse(url.as_str().expect("a text")).expect("an address").path().to_owned()
    }

    /// Waits until the path of the page ends with `end`, after a form that leads to another page.
    pub async fn until(&self, end: &str) {
        wait_for(end, || async { self.path().await.ends_with(end).then_some(()) }).await;
    }

    /// The text of the page.
    pub async fn text(&self) -> String {
        self.ask("return document.body ? document.body.innerText : ''").await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the page contains `words`, after a form whose response is the same page.
    pub async fn says(&self, words: &str) {
        wait_for(words, || async { self.text().await.contains(words).then_some(()) }).await;
    }

    /// Presses and releases a key at the focused element.
    pub async fn key(&self, value: char) {
        let presses = json!([{ "type": "keyDown", "value": value }, { "type": "keyUp", "value": value }]);
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": presses });
        self.post("actions", json!({ "actions": [keyboard] })).await.expect("a key can be pressed");
    }

    /// Clicks the first match, in the middle of the screen, where no sticky bar covers it.
    pub async fn click(&self, css: &str) {
        let centre =
            format!("document.querySelector({css:?})?.scrollIntoView({{ block: 'center', behavior: 'instant' }})");
        self.ask(&centre).await;
        self.on_element(css, "click", json!({})).await;
    }

    pub async fn fill(&self, id: &str, text: &str) {
        let css = format!("#{id}");
        self.on_element(&css, "clear", json!({})).await;
        self.type_into(&css, text).await;
    }

    /// Types into a field. A field for files takes a path.
    pub async fn type_into(&self, css: &str, text: &str) {
        self.on_element(css, "value", json!({ "text": text })).await;
    }

    /// Shows the page as on paper (`print`), as on a `screen`, or by where it is shown if `kind` is empty.
    pub async fn media(&self, kind: &str) {
        self.devtools("Emulation.setEmulatedMedia", json!({ "media": kind })).await;
    }

    /// Changes the size of the screen, in CSS pixels.
    pub async fn resize(&self, (width, height): (u32, u32)) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
    }

    /// The number of pages on paper, in A4 (WebDriver, section 18.1).
    pub async fn count_printed_pages(&self) -> usize {
        let paper = json!({ "page": { "width": 21.0, "height": 29.7 }, "background": true });
        let printed = self.post("print", paper).await.expect("the page can be printed");
        let pdf = BASE64.decode(printed.as_str().expect("a PDF")).expect("base64");
        String::from_utf8_lossy(&pdf).split("/Type /Page\n").count() - 1
    }

    /// Shows pages with motion.
    pub async fn allow_motion(&self) {
        self.prefer("prefers-reduced-motion", "no-preference").await;
    }

    /// Shows pages to a visitor with this preference, and no other, such as `prefers-color-scheme` of `dark`.
    pub async fn prefer(&self, name: &str, value: &str) {
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": [{ "name": name, "value": value }] })).await;
    }

    /// Makes the line slow: 400 kbit/s, and 400 ms for each request. Nothing is taken from the cache.
    pub async fn become_slow_line(&self) {
        self.devtools("Network.enable", json!({})).await;
        self.devtools("Network.setCacheDisabled", json!({ "cacheDisabled": true })).await;
        let line =
            json!({ "offline": false, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000 });
        self.devtools("Network.emulateNetworkConditions", line).await;
    }

    /// Cuts the line, or mends it.
    pub async fn set_offline(&self, offline: bool) {
        self.devtools("Network.enable", json!({})).await;
        let line = json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        self.devtools("Network.emulateNetworkConditions", line).await;
    }

    /// Limits the upload to so many bytes a second.
    pub async fn slow_down(&self, bytes_per_second: u32) {
        self.devtools("Network.enable", json!({})).await;
        let line = json!({
            "offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": bytes_per_second,
        });
        self.devtools("Network.emulateNetworkConditions", line).await;
    }

    /// Makes the browser a slow phone on a slow line: 1.6 Mbit/s, 150 ms for each request, a processor of a quarter of the
    /// speed. Nothing is taken from its cache.
    pub async fn become_slow_phone(&self) {
        self.devtools("Network.enable", json!({})).await;
        self.devtools("Network.setCacheDisabled", json!({ "cacheDisabled": true })).await;
        let line = json!({
            "offline": false, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000,
        });
        self.devtools("Network.emulateNetworkConditions", line).await;
        self.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": 4 })).await;
    }

    /// The whole page as a PNG, as far down as it goes.
    pub async fn picture(&self) -> Vec<u8> {
        let taken = self.devtools("Page.captureScreenshot", json!({ "captureBeyondViewport": true })).await;
        BASE64.decode(taken["data"].as_str().expect("a picture")).expect("base64")
    }

    /// Runs a script in the page, even where the page may run none.
    pub async fn ask(&self, script: &str) -> Value {
        self.post("execute/sync", json!({ "script": script, "args": [] })).await.expect("the script runs")
    }

    /// Runs a script in every page that is opened from now on, before the page's own scripts.
    pub async fn before_pages(&self, script: &str) {
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await;
    }

    /// Runs a script that answers by calling its last argument.
    pub async fn ask_later(&self, script: &str) -> Value {
        self.post("execute/async", json!({ "script": script, "args": [] })).await.expect("the script answers")
    }

    /// Sends a command to the first element that matches.
    async fn on_element(&self, css: &str, command: &str, body: Value) {
        let found = self.post("element", json!({ "using": "css selector", "value": css })).await;
        let found = found.unwrap_or_else(|e| panic!("no {css}: {e}"));
        let id = found[ELEMENT].as_str().expect("the id of an element");
        let done = self.post(&format!("element/{id}/{command}"), body).await;
        done.unwrap_or_else(|e| panic!("{css} does not take {command}: {e}"));
    }

    /// A command of the Chrome DevTools Protocol, through chromedriver.
    async fn devtools(&self, method: &'static str, params: Value) -> Value {
        let body = json!({ "cmd": method, "params": params });
        self.post("goog/cdp/execute", body).await.expect("Chromium knows the command")
    }

    async fn post(&self, command: &str, body: Value) -> Result<Value, Value> {
        self.command(Method::POST, command, Some(body)).await
    }

    async fn command(&self, method: Method, command: &str, body: Option<Value>) -> Result<Value, Value> {
        send(method, &format!("{}/{command}", self.session), body).await
    }
}

/// Stores a picture of the page in the folder of `BROWSER_PICTURES`, if it is set.
pub async fn keep_picture(browser: &Chromium, name: &str) {
    if let Some(folder) = std::env::var_os("BROWSER_PICTURES") {
        let file = PathBuf::from(folder).join(format!("{name}.png"));
        std::fs::write(file, browser.picture().await).expect("a picture can be written");
    }
}

/// Sends a WebDriver command (W3C WebDriver, section 6). Returns the `value` of the answer, or of its error.
async fn send(method: Method, url: &str, body: Option<Value>) -> Result<Value, Value> {
    let request = http_client().request(method, url);
    let request = if let Some(body) = body { request.json(&body) } else { request };
    let response = request.send().await.expect("chromedriver answers");
    let succeeded = response.status().is_success();
    let value = response.json::<Value>().await.expect("chromedriver answers in JSON")["value"].take();
    if succeeded { Ok(value) } else { Err(value) }
}

/// The width of the narrowest window, in CSS pixels.
const WINDOW_WIDTH_MIN: u32 = 500;

fn capabilities(kind: Kind, letters: u32, profile: &TempDir) -> Map<String, Value> {
    let mut arguments = vec![
        "--headless=new".to_owned(),
        "--no-sandbox".to_owned(), // a container's root has no other way
        "--disable-dev-shm-usage".to_owned(),
        format!("--user-data-dir={}", profile.path().display()),
        format!("--blink-settings=defaultFontSize={letters}"),
        // A page is judged without its motion.
        "--force-prefers-reduced-motion".to_owned(),
    ];
    let mut options = Map::new();
    // Without script, a click in an emulated telephone never returns: `start` makes the page narrow instead.
    if kind.width < WINDOW_WIDTH_MIN && kind.script {
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
