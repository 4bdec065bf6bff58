//! Limits on the memory of forms: a browser session sends few files at a time, and without a session almost nothing of a
//! body is read.

use std::time::Duration;

use card_service::base::FrontLimits;
use card_service::base::limits::FORMS_PER_SESSION_MAX;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::app::family::{Browser, customizer};
use crate::app::picture::{noisy_png, photo};
use crate::app::{Answer, TestApp, http_client, run_within, wait_for};

/// A request with an endless body, to read the answer of the server meanwhile.
struct Unfinished(TcpStream);

impl Unfinished {
    /// Sends a head with these lines, and the beginning of a body.
    async fn send(app: &TestApp, path: &str, lines: &[String], body: &[u8]) -> Self {
        let address = app.url("").trim_start_matches("http://").to_owned();
        let mut stream = TcpStream::connect(&address).await.expect("the server listens");
        let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
        let head = format!("POST {path} HTTP/1.1\r\nhost: {address}\r\n{lines}\r\n");
        stream.write_all(&[head.as_bytes(), body].concat()).await.expect("the server reads");
        Self(stream)
    }

    /// The beginning of the answer, if there is one within `time`.
    async fn answer(&mut self, time: Duration) -> Option<String> {
        let mut bytes = vec![0; 64 * 1024];
        let count = tokio::time::timeout(time, self.0.read(&mut bytes)).await.ok()?.expect("an answer");
        Some(String::from_utf8_lossy(&bytes[..count]).into_owned())
    }
}

fn cookie_of(browser: &Browser) -> String {
    let (name, value) = browser.cookies.iter().next().expect("a cookie");
    format!("cookie: {name}={value}")
}

const FILE: &str = "content-type: multipart/form-data; boundary=X";
const TEXT: &str = "content-type: application/x-www-form-urlencoded";
const SOON: Duration = Duration::from_millis(500);
const WITHIN: Duration = Duration::from_secs(5);

#[test]
fn photo_over_a_slow_line_is_saved_and_one_that_stops_is_408() {
    let stalled = Duration::from_millis(500);
    let front = FrontLimits { form_stalled: stalled, ..FrontLimits::default() };
    run_within("slow upload", front, async move |app| {
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "overledene");
        let hidden = browser.get(&path).await.hidden_fields();
        let field = |(name, value): &(String, String)| {
            format!("--X\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let start: String = hidden.iter().map(field).collect::<String>()
            + "--X\r\ncontent-disposition: form-data; name=\"photo\"; filename=\"oma.png\"\r\n\r\n";
        let body = [start.as_bytes(), &noisy_png(400), b"\r\n--X--\r\n"].concat();
        let lines = [cookie_of(&browser), FILE.to_owned(), format!("content-length: {}", body.len())];
        let (pieces, pause) = (20, stalled / 4);
        let mut slow = Unfinished::send(&app, &path, &lines, b"").await;
        for piece in body.chunks(body.len().div_ceil(pieces)) {
            slow.0.write_all(piece).await.expect("the server reads");
            tokio::time::sleep(pause).await;
        }
        let answer = slow.answer(WITHIN).await.expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 303 "), "after {:?}: {answer}", pause * 20);
        assert!(app.row(&gid).await.deceased.photo.is_some());

        let mut silent = Unfinished::send(&app, &path, &lines, &body[..body.len() / 2]).await;
        let answer = silent.answer(WITHIN).await.expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("Er kwam te lang niets"), "{answer}");
    });
}

on_both_databases! {
    async fn session_third_concurrent_upload_is_refused(app: TestApp) {
        let (live, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "overledene");
        let lines = [cookie_of(&browser), FILE.to_owned(), "content-length: 100000".to_owned()];
        let mut first = Unfinished::send(&app, &path, &lines, b"--X\r\n").await;
        let mut second = Unfinished::send(&app, &path, &lines, b"--X\r\n").await;
        assert_eq!((first.answer(SOON).await, second.answer(SOON).await), (None, None), "both are read on");
        let refused = browser.upload(&path, "photo", "oma.png", &photo("png")).await;
        assert_eq!((refused.status, refused.header("retry-after")), (429, Some("5")));
        assert!(refused.text().contains("al twee foto's tegelijk"), "{}", refused.text());
        // Requests without a file succeed, and so do requests of another family.
        let names = customizer(&gid, "overledene");
        assert_eq!(browser.submit(&names, &[("first_name", "Johanna"), ("last_name", "")]).await.status, 303);
        let other = live.draft("2").await;
        let mut neighbour = Browser::at_customizer(&live, &other).await;
        let saved = neighbour.upload(&customizer(&other, "overledene"), "photo", "opa.png", &photo("png")).await;
        assert_eq!(saved.status, 303, "{}", saved.text());
        drop(first);
        wait_for("a file that broke off is not counted", || {
            let (mut browser, path) = (browser.clone(), path.clone());
            async move {
                let answer = browser.upload(&path, "photo", "oma.png", &photo("png")).await;
                assert!(matches!(answer.status, 303 | 429), "{}", answer.text());
                (answer.status == 303).then_some(())
            }
        })
        .await;
    }

    async fn session_ninth_form_in_work_is_refused(app: TestApp) {
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "tekst");
        let lines = [cookie_of(&browser), TEXT.to_owned(), "content-length: 1000".to_owned()];
        let mut unfinished = Vec::new();
        for _ in 0..FORMS_PER_SESSION_MAX {
            unfinished.push(Unfinished::send(&app, &path, &lines, b"text=").await);
        }
        // The probe below may take the place of a form that is still on its way; another form then fills it.
        while browser.clone().post(&path, &[], &[("text", "Lief")]).await.status != 429 {
            unfinished.push(Unfinished::send(&app, &path, &lines, b"text=").await);
        }
        assert_eq!(browser.get(&path).await.status, 200, "it reads pages");
        drop(unfinished);
        let path = path.as_str();
        wait_for("the dropped forms are not counted", || {
            let mut browser = browser.clone();
            async move { (browser.submit(path, &[("text", "Lief")]).await.status == 303).then_some(()) }
        })
        .await;
    }

    async fn form_without_a_session_is_refused_by_its_head(app: TestApp) {
        let (_, gid) = app.live_draft("1").await;
        let path = customizer(&gid, "tekst");
        for lines in [
            vec![TEXT.to_owned(), "transfer-encoding: chunked".to_owned()],
            vec![TEXT.to_owned(), "content-length: 100000000".to_owned()],
            vec![FILE.to_owned(), "content-length: 9000000".to_owned()],
            vec![FILE.to_owned(), "transfer-encoding: chunked".to_owned()],
        ] {
            let mut unfinished = Unfinished::send(&app, &path, &lines, b"").await;
            let answer = unfinished.answer(WITHIN).await.expect("nothing is waited for");
            assert!(answer.starts_with("HTTP/1.1 403 ") && answer.contains("Uw toegang is verlopen"), "{lines:?}: {answer}");
        }
        // A short form is read, and its input given back.
        let length = |length: usize| vec![TEXT.to_owned(), format!("content-length: {length}")];
        let mut short = Unfinished::send(&app, &path, &length(9), b"text=Lief").await;
        let answer = short.answer(WITHIN).await.expect("an answer");
        assert!(answer.contains("Lief") && answer.contains("nog niet opgeslagen"), "{answer}");
        let mut waiting = Unfinished::send(&app, &path, &length(16 * 1024), b"text=").await;
        assert_eq!(waiting.answer(SOON).await, None, "so much is waited for");
        let long = "a".repeat(20 * 1024);
        let request = http_client().post(app.url(&path)).header("content-type", "application/x-www-form-urlencoded");
        let answer = Answer::read(request.body(format!("text={long}")).send().await.expect("an answer")).await;
        assert!(answer.status == 403 && !answer.text().contains("aaaa"), "{}", answer.text());
    }
}
