//! Quotas of stored photos: of a partner in a day, and of a browser session in an hour.

use card_service::base::limits;
use card_service::model::KeyMode;
use chrono::Duration;
use serde_json::json;

use crate::app::family::{Browser, customizer};
use crate::app::mock_server::PNG;
use crate::app::picture::photo;
use crate::app::{Caller, Payload, TestApp};

/// Uses up a partner's quota of this mode, except this many bytes.
async fn leave(app: &TestApp, partner_id: uuid::Uuid, mode: KeyMode, bytes: i64) {
    let max = match mode {
        KeyMode::Live => limits::PHOTO_BYTES_PER_DAY_LIVE,
        KeyMode::Test => limits::PHOTO_BYTES_PER_DAY_TEST,
    };
    let subject = format!("photo bytes:{}:{partner_id}", mode.as_str());
    let (day_ago, now) = (app.now().before(limits::PHOTO_BYTES_WINDOW), app.now());
    assert_eq!(app.store().use_quota(subject, max - bytes, max, day_ago, now).await.expect("the store answers"), None);
}

async fn create(caller: &Caller, dossier: &str) -> Payload {
    let url = caller.app.mock_server().photo("/a.png", "image/png", PNG);
    caller.create(json!({ "externalDossierId": dossier, "deceased": { "photoUrl": url } })).await
}

on_both_databases! {
    async fn partner_bytes_a_day_are_limited_for_live_and_test_apart(app: TestApp) {
        let (partner, other) = (app.partner("Uitvaart Noord").await, app.partner("Uitvaart Zuid").await);
        let (live, test) = (partner.live().await, partner.test().await);
        let bytes = i64::try_from(PNG.len()).expect("a small photo");
        leave(&app, partner.id, KeyMode::Live, 2 * bytes).await;
        leave(&app, partner.id, KeyMode::Test, bytes - 1).await;
        let first = create(&live, "1").await.gid();
        app.pass(Duration::hours(1));
        create(&live, "2").await.gid();
        let files = app.media_files();
        for (caller, gigabytes) in [(&live, "20 GB"), (&test, "1 GB")] {
            let refused = create(caller, "3").await;
            let message = refused.fault("UNPROCESSABLE", "input.deceased.photoUrl");
            // The window began at half past nine.
            assert!(message.contains(gigabytes) && message.contains("Vanaf 11-11-2026 om 09.30 uur"), "{message}");
            assert!(message.ends_with("Er is geen kaart aangemaakt."), "{message}");
        }
        let url = app.mock_server().url("/a.png");
        let refused = live.update(&first, json!({ "deceased": { "photoUrl": url } })).await;
        assert!(refused.fault("UNPROCESSABLE", "input.deceased.photoUrl").ends_with("De kaart is niet gewijzigd."));
        assert_eq!(app.media_files(), files, "nothing was stored");
        // A family's photo counts for the partner of its card; other partners go on.
        let mut browser = Browser::at_customizer(&live, &first).await;
        let refused = browser.upload(&customizer(&first, "overledene"), "photo", "oma.png", &photo("png")).await;
        assert!(refused.status == 422 && refused.text().contains("Vanaf 11 november 2026 om 09.30 uur"), "{}", refused.text());
        create(&other.live().await, "1").await.gid();
        app.pass(Duration::hours(23));
        create(&live, "3").await.gid();
        create(&test, "4").await.gid();
    }

    async fn session_photos_an_hour_are_limited_and_replaced_ones_deleted(app: TestApp) {
        let (live, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "overledene");
        for number in 0..limits::UPLOADS_PER_SESSION_HOUR {
            let saved = browser.upload(&path, "photo", "oma.png", &photo("png")).await;
            assert_eq!(saved.status, 303, "{number}: {}", saved.text());
            assert_eq!(app.media_files().len(), 4, "the photo and its three renditions, and nothing of the one before");
        }
        let kept = app.row(&gid).await.deceased.photo;
        let refused = browser.upload(&path, "photo", "oma.png", &photo("png")).await;
        assert_eq!(refused.status, 422);
        assert!(refused.text().contains("al 10 foto's verstuurd"), "{}", refused.text());
        assert!(refused.text().contains("Vanaf 10 november 2026 om 10.30 uur"), "{}", refused.text());
        assert_eq!(app.row(&gid).await.deceased.photo, kept);
        let mut other = Browser::at_customizer(&live, &gid).await;
        assert_eq!(other.upload(&path, "photo", "oma.png", &photo("png")).await.status, 303, "another session has its own");
        app.pass(Duration::hours(1));
        assert_eq!(browser.upload(&path, "photo", "oma.png", &photo("png")).await.status, 303);
        let removed = browser.submit(&path, &[("photo_remove", "ja")]).await;
        assert_eq!((removed.status, app.media_files().len()), (303, 0), "{}", removed.text());
    }

    async fn counts_of_windows_that_are_over_are_removed(app: TestApp) {
        create(&app.live().await, "1").await.gid();
        let count = async || app.dump().await.iter().filter(|line| line.starts_with("quotas:")).count();
        assert_eq!(count().await, 1);
        app.pass(Duration::hours(25));
        let removed = card_service::worker::housekeeping::step(app.services()).await.expect("a round");
        assert_eq!((removed.quotas, count().await), (1, 0));
    }
}
