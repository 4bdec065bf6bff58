//! Text typed while the browser session ends is given back, and is not stored without a session (decisions S2, S4).

use card_service::base::limits::UPLOAD_FORM_BYTES_MAX;
use card_service::operation::partner;
use chrono::Duration;

use crate::app::family::{Browser, customizer, path_of};
use crate::app::picture::noisy_png;
use crate::app::{Answer, TestApp, card_id, http_client};

const TYPED: &str = "Lieve mama,\n\n<script>alert(1)</script> \"wat\" zullen we je missen & 'dag'.";
/// `TYPED` in HTML.
const ESCAPED: &str = "&lt;script&gt;alert(1)&lt;/script&gt; &quot;wat&quot; zullen we je missen &amp; 'dag'.";

#[track_caller]
fn assert_given_back(answer: &Answer) {
    let page = answer.text();
    assert_eq!(answer.status, 403, "{page}");
    assert!(page.contains(ESCAPED) && !page.contains("<script>alert"), "{page}");
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

on_both_databases! {
    async fn text_typed_after_session_end_is_saved_after_a_new_link(app: TestApp) {
        let (live, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "tekst");
        let hidden = browser.get(&path).await.hidden_fields();
        app.pass(Duration::hours(3));
        let ended = browser.post(&path, &hidden, &[("text", TYPED)]).await;
        assert_given_back(&ended);
        assert!(ended.text().contains("is nog niet opgeslagen"), "{}", ended.text());
        assert_eq!(app.row(&gid).await.text, None, "nothing is kept without a visit");
        // Sent once more without a new link: the same page, with the same words.
        let still = browser.post(&path, &ended.hidden_fields(), &[]).await;
        assert_given_back(&still);

        assert_eq!(browser.get(&path_of(&live.link(&gid, "CUSTOMIZER").await)).await.status, 303);
        let asked = browser.post(&path, &still.hidden_fields(), &[]).await;
        assert_given_back(&asked);
        assert!(asked.text().contains("Controleer het en sla het alsnog op."), "{}", asked.text());
        assert_eq!(app.row(&gid).await.text, None, "nothing is saved before somebody of this visit says so");
        let saved = browser.post(&path, &asked.hidden_fields(), &[]).await;
        assert_eq!(saved.header("location"), Some(customizer(&gid, "afscheid").as_str()), "{}", saved.text());
        assert_eq!(app.row(&gid).await.text.as_deref(), Some(TYPED));
    }

    async fn words_given_back_do_not_overwrite_what_was_saved_meanwhile(app: TestApp) {
        let (live, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "overledene");
        let hidden = browser.get(&path).await.hidden_fields();
        app.pass(Duration::hours(3));
        let ended = browser.post(&path, &hidden, &[("first_name", "Hanna"), ("last_name", "")]).await;
        let mut other = Browser::at_customizer(&live, &gid).await;
        assert_eq!(other.submit(&path, &[("first_name", "Johanna"), ("last_name", "")]).await.status, 303);
        browser.cookies = other.cookies.clone();
        let asked = browser.post(&path, &ended.hidden_fields(), &[]).await;
        let overtaken = browser.post(&path, &asked.hidden_fields(), &[]).await;
        assert_eq!(overtaken.status, 409, "{}", overtaken.text());
        assert_eq!(app.row(&gid).await.deceased.first_name.as_deref(), Some("Johanna"));
    }

    async fn names_for_the_list_are_given_back_too(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let mut browser = Browser::new(&app);
        browser.open(&path_of(&live.link(&gid, "INVITEE_LIST").await)).await;
        app.pass(Duration::hours(3));
        let list = format!("/gasten/{}", card_id(&gid));
        let given = format!("Jan <jan@voorbeeld.nl>\n{TYPED}");
        let ended = browser.post(&format!("{list}/plakken"), &[], &[("lijst", &given)]).await;
        assert_given_back(&ended);
        assert!(ended.text().contains("Jan &lt;jan@voorbeeld.nl&gt;"), "{}", ended.text());
        let rows = [("n", "Jan"), ("e", "jan@voorbeeld.nl"), ("n", TYPED), ("e", "")];
        let ended = browser.post(&format!("{list}/overnemen"), &[], &rows).await;
        assert_given_back(&ended);
        assert!(ended.text().contains("Jan &lt;jan@voorbeeld.nl&gt;"), "{}", ended.text());
        let ended = browser.post(&format!("{list}/toevoegen"), &[], &[("naam", TYPED), ("email", "a@voorbeeld.nl")]).await;
        assert_given_back(&ended);
    }

    async fn other_site_puts_no_words_on_our_pages(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let path = customizer(&gid, "tekst");
        let browser = Browser::at_customizer(&live, &gid).await;
        let (name, value) = browser.cookies.iter().next().expect("a cookie");
        for cookie in [format!("{name}={value}"), String::new()] {
            for from in ["cross-site", "same-site", "none"] {
                let request = http_client()
                    .post(app.url(&path))
                    .header("cookie", &cookie)
                    .header("sec-fetch-site", from)
                    .header("content-type", "application/x-www-form-urlencoded")
                    .body("text=Bel+dit+nummer");
                let answer = Answer::read(request.send().await.expect("an answer")).await;
                assert_eq!(answer.status, 403);
                assert!(!answer.text().contains("Bel dit nummer"), "{from}: {}", answer.text());
            }
        }
        assert_eq!(app.row(&gid).await.text, None);
    }

    async fn form_that_gives_nothing_back_says_what_to_do(app: TestApp) {
        let (_, gid) = app.live_draft("1").await;
        let mut visitor = Browser::new(&app);
        for (path, fields) in [("tekst", vec![("text", "  ")]), ("bestellen", vec![("agree", "ja")]), ("thema", vec![])] {
            let answer = visitor.post(&customizer(&gid, path), &[], &fields).await;
            assert_eq!(answer.status, 403);
            assert!(answer.text().contains("Uw toegang is verlopen"), "{}", answer.text());
            assert!(!answer.text().contains("nog niet opgeslagen") && !answer.text().contains("<form"), "{path}");
        }
        let upload = http_client()
            .post(app.url(&customizer(&gid, "overledene")))
            .header("content-type", "multipart/form-data; boundary=X")
            .body("--X\r\ncontent-disposition: form-data; name=\"photo\"; filename=\"a.png\"\r\n\r\nPNG\r\n--X--\r\n");
        let answer = Answer::read(upload.send().await.expect("an answer")).await;
        assert!(answer.status == 403 && answer.text().contains("Kies de foto opnieuw"), "{}", answer.text());
        // A body over the limit is not read and not given back.
        let long = "a".repeat(300 * 1024);
        let answer = visitor.post(&customizer(&gid, "tekst"), &[], &[("text", &long)]).await;
        assert!(answer.status == 403 && answer.body.len() < 60_000, "{} bytes", answer.body.len());
    }

    /// The fields before the photo are read, and only they.
    async fn name_typed_beside_a_photo_is_given_back_and_saved(app: TestApp) {
        let (live, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "overledene");
        let photo = noisy_png(400);
        let hidden = browser.get(&path).await.hidden_fields();
        app.pass(Duration::hours(3));
        let ended = browser.send_file(&path, &with_name(&hidden), "photo", "oma.png", &photo).await;
        let page = ended.text();
        assert_eq!(ended.status, 403, "{page}");
        for words in ["Johanna", "Kies de foto opnieuw", "Mijn invoer alsnog opslaan"] {
            assert!(page.contains(words), "{words}: {page}");
        }
        assert_eq!(browser.get(&path_of(&live.link(&gid, "CUSTOMIZER").await)).await.status, 303);
        let asked = browser.post(&path, &ended.hidden_fields(), &[]).await;
        assert!(asked.text().contains("<h1>Controleer uw invoer en sla hem op</h1>"), "{}", asked.text());
        assert_eq!(browser.post(&path, &asked.hidden_fields(), &[]).await.status, 303);
        assert_eq!(app.row(&gid).await.deceased.first_name.as_deref(), Some("Johanna"));
        // The same for a photo that is too large.
        let hidden: Vec<_> = browser.get(&path).await.hidden_fields();
        let fields: Vec<_> = with_name(&hidden).into_iter().map(|(name, value)| (name, value.replace("Johanna", "Hanna"))).collect();
        let large = vec![b'x'; UPLOAD_FORM_BYTES_MAX + 1];
        let refused = browser.send_file(&path, &fields, "photo", "oma.png", &large).await;
        assert_eq!(refused.status, 413, "{}", refused.text());
        assert!(refused.text().contains("value=\"Hanna\"") && refused.text().contains("De foto is te groot."), "{}", refused.text());
        let foreign: Vec<_> = fields.into_iter().filter(|(name, _)| name != "form_token").collect();
        let refused = browser.send_file(&path, &foreign, "photo", "oma.png", &large).await;
        assert!(refused.status == 413 && !refused.text().contains("value=\"Hanna\""), "{}", refused.text());
        // A blocked partner changes nothing, and loses nothing that was typed.
        partner::set_blocked(app.services(), "Uitvaart Noord", true).await.expect("the partner is there");
        let refused = browser.send_file(&path, &with_name(&hidden), "photo", "oma.png", &photo).await;
        assert!(refused.status == 403 && refused.text().contains("Johanna"), "{}", refused.text());
    }
}

/// The hidden fields of a form and a name.
fn with_name(hidden: &[(String, String)]) -> Vec<(String, String)> {
    hidden.iter().cloned().chain([("first_name".to_owned(), "Johanna".to_owned())]).collect()
}
