//! Forms: typed text is stored unchanged, in either encoding, and malformed input is refused.

use proptest::prelude::*;

use super::seed::{changed, for_all};
use super::{any_text, seeds, wait};
use crate::app::family::{Browser, customizer};
use crate::app::{Answer, TestApp, http_client};

const SEEDS: &[&[u8]] = &[
    b"form_token=TOKEN&theme=1&layout=PORTRAIT&visibility=INVITATION&agree=ja&price=4950",
    b"form_token=TOKEN&contact_name=%22%3E%3Cscript%3E&email=a%40voorbeeld.nl&livestream=javascript%3Aalert(1)",
    b"--grens-4d2f9c\r\ncontent-disposition: form-data; name=\"form_token\"\r\n\r\nTOK",
    b"form_token=TOKEN&birth_day=31&birth_month=2&birth_year=1938&death_day=&death_month=&death_year=",
    b"--grens-4d2f9c\r\ncontent-disposition: form-data; name=\"form_token\"\r\n\r\nTOKEN\r\n--grens-4d2f9c\r\ncontent-disposition: form-data; name=\"photo\"; filename=\"a\\\"b.png\"\r\ncontent-type: image/png\r\n\r\n\xc2\x89PNG\r\n--grens-4d2f9c--\r\n",
    b"form_token=TOKEN&seen=&first_name=Jo%C3%A9&last_name=%00%F0%9F%8C%B9",
    b"text=zonder",
    b"--grens-4d2f9c\r\ncontent-disposition: form-data; name=\"form_token\"\r\n\r\nTOKEN\r\n--grens-4d2f9c\r\ncontent-disposition: form-data; name=\"text\"\r\n\r\nin delen\r\n--grens-4d2f9c--\r\n",
    b"form_token=TOKEN&text=%&text=%ZZ&=&&text=%C3%28",
    b"form_token=TOKEN&seen=x&text=Lieve+mama%2C%0D%0A%0D%0AWat+zullen+we+je+missen.",
];
const BOUNDARY: &str = "grens-4d2f9c";
const STEPS: [&str; 6] = ["thema", "overledene", "tekst", "afscheid", "contact", "bestellen"];

/// Returns the stored form of a text: line breaks are one character, and blanks around it are removed.
fn kept(typed: &str) -> Option<String> {
    let kept = typed.replace("\r\n", "\n").trim().to_owned();
    (!kept.is_empty()).then_some(kept)
}

async fn post(app: &TestApp, browser: &Browser, path: &str, content_type: &str, body: Vec<u8>) -> Answer {
    let cookies: Vec<_> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let request = http_client().post(app.url(path)).header("cookie", cookies.join("; "));
    let sent = request.header("content-type", content_type).body(body).send().await;
    Answer::read(sent.expect("the server answers")).await
}

fn multipart(fields: &[(String, String)]) -> Vec<u8> {
    let part = |(name, value): &(String, String)| {
        format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    (fields.iter().map(part).collect::<String>() + &format!("--{BOUNDARY}--\r\n")).into_bytes()
}

on_both_databases! {
    async fn text_of_any_characters_is_kept_in_either_encoding(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let path = customizer(&gid, "tekst");
        let browser = Browser::at_customizer(&live, &gid).await;
        for_all(100, (any_text(60), any::<bool>()), |(typed, in_parts)| wait(async {
            let hidden = browser.clone().get(&path).await.hidden_fields();
            let fields = [hidden, vec![("text".to_owned(), typed.clone())]].concat();
            let (content_type, body) = if in_parts {
                (format!("multipart/form-data; boundary={BOUNDARY}"), multipart(&fields))
            } else {
                let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(&fields).finish();
                ("application/x-www-form-urlencoded".to_owned(), body.into_bytes())
            };
            let answer = post(&app, &browser, &path, &content_type, body).await;
            // Neither database nor page has a place for it, and no keyboard a key.
            if typed.contains('\0') {
                assert_eq!(answer.status, 422, "{}", answer.text());
                return;
            }
            assert_eq!(answer.status, 303, "{}", answer.text());
            assert_eq!(app.row(&gid).await.text, kept(&typed), "in parts: {in_parts}");
            let page = browser.clone().get(&path).await;
            assert!(page.status == 200 && !page.text().contains("<script>"), "{}", page.text());
        }));
    }

    async fn body_of_any_bytes_is_a_form_or_is_refused(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let browser = Browser::at_customizer(&live, &gid).await;
        let token = browser.clone().get(&customizer(&gid, "tekst")).await.hidden_fields().remove(0).1;
        // The seeds do not know the token of this visit.
        let seeds: Vec<_> =
            seeds(SEEDS).iter().map(|seed| String::from_utf8_lossy(seed).replace("TOKEN", &token).into_bytes()).collect();
        let types = [
            "application/x-www-form-urlencoded".to_owned(), format!("multipart/form-data; boundary={BOUNDARY}"),
            "multipart/form-data; boundary=".to_owned(), "text/plain".to_owned(),
        ];
        let values = (changed(seeds), prop::sample::select(&STEPS[..]), prop::sample::select(types.to_vec()));
        for_all(150, values, |(body, step, content_type)| {
            let answer = wait(post(&app, &browser, &customizer(&gid, step), &content_type, body));
            assert!([303, 400, 403, 409, 413, 422].contains(&answer.status), "{} {}", answer.status, answer.text());
            assert!(answer.status == 303 || answer.text().starts_with("<!DOCTYPE html>"), "{}", answer.text());
        });
    }
}
