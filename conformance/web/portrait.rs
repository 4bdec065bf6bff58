//! Portraits on the pages: only renditions, and only of valid photos (decisions, section 7).

use card_service::model::{Card, PhotoKey, Rendition};
use card_service::store::CardScope;
use chrono::Duration;
use serde_json::json;

use crate::app::family::{Browser, customizer, path_of};
use crate::app::picture::{bomb, huge_heic, jpeg_of_12_bits, noisy_png, photo, photo_with_position, size_of};
use crate::app::{Caller, TestApp, card_id, tamper, wait_for};

/// A card whose partner supplied this photo, and the photo's key.
async fn with_photo(live: &Caller, dossier: &str, bytes: Vec<u8>) -> (String, PhotoKey) {
    let url = live.app.mock_server().photo(&format!("/{dossier}"), "image/jpeg", bytes);
    let input = json!({ "externalDossierId": dossier, "deceased": { "firstName": "Aal", "photoUrl": url } });
    let gid = live.create(input).await.gid();
    let key = live.app.row(&gid).await.deceased.photo.expect("a photo");
    (gid, key)
}

/// Waits until the renditions of a photo are made.
async fn rendered(app: &TestApp, key: &PhotoKey) {
    wait_for("the renditions", || async { app.store().portrait(key).await.expect("the store answers") }).await;
}

/// The path of a rendition.
fn rendition(app: &TestApp, rendition: Rendition, key: &PhotoKey) -> String {
    path_of(app.services().rendition_address(rendition, key).as_str())
}

on_both_databases! {
    async fn page_shows_a_rendition_upright_and_without_position(app: TestApp) {
        let live = app.live().await;
        let (gid, key) = with_photo(&live, "1", photo_with_position()).await;
        rendered(&app, &key).await;
        app.online(&gid).await;
        let card = live.card(&gid).await;
        let page = app.get(&path_of(card["cardUrl"].as_str().expect("an address"))).await.text();
        let screen = rendition(&app, Rendition::Screen, &key);
        assert!(page.contains(&format!("src=\"{screen}\" alt=\"Portret van Aal\" width=\"64\" height=\"96\"")), "{page}");
        assert!(!page.contains(key.as_str()), "nothing leads to the photo itself: {page}");
        for path in [screen, rendition(&app, Rendition::Phone, &key), rendition(&app, Rendition::Preview, &key)] {
            let picture = app.get(&path).await;
            assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/jpeg")));
            assert_eq!(size_of(&picture.body), (64, 96));
            assert!(!picture.body.windows(4).any(|bytes| bytes == b"Exif"), "no position is left");
        }
        // The partner API returns the photo as the partner supplied it.
        let own = app.get(&path_of(card["deceased"]["photoUrl"].as_str().expect("an address"))).await;
        assert_eq!(own.body, photo_with_position());
    }

    async fn focal_point_stays_until_the_photo_is_replaced(app: TestApp) {
        let live = app.live().await;
        let (gid, key) = with_photo(&live, "1", photo("jpeg")).await;
        rendered(&app, &key).await;
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let path = customizer(&gid, "overledene");
        let page = browser.get(&path).await.text();
        assert!(page.contains("value=\"5,2\" checked"), "the middle of the top, until something is chosen: {page}");
        let saved = browser.submit(&path, &[("focal_point", "8,6")]).await;
        assert_eq!(saved.status, 303, "{}", saved.text());
        let stored = app.row(&gid).await.deceased.focal_point;
        assert_eq!(stored.map(|point| point.to_string()).as_deref(), Some("8,6"));
        let page = browser.get(&path).await.text();
        assert!(page.contains("value=\"8,6\" checked") && page.contains("face fx100 fy50"), "{page}");
        for wrong in ["11,0", "x", ""] {
            browser.submit(&path, &[("focal_point", wrong)]).await;
            assert_eq!(app.row(&gid).await.deceased.focal_point, stored, "{wrong}");
        }
        app.online(&gid).await;
        let card = live.card(&gid).await;
        let address = path_of(card["cardUrl"].as_str().expect("an address"));
        assert!(!app.get(&address).await.text().contains("class=\"fx"), "a photo of 3:2 is shown whole");
        tamper(app.database_url(), "UPDATE cards SET layout = 'TEXT'").await;
        assert!(app.get(&address).await.text().contains("class=\"fx100 fy50\""), "the circle has the right of it");
        let url = app.mock_server().photo("/other", "image/jpeg", photo_with_position());
        live.update(&gid, json!({ "deceased": { "photoUrl": url } })).await;
        assert_eq!(app.row(&gid).await.deceased.focal_point, None, "another photo has another face");
    }

    async fn photo_kept_without_renditions_gets_them_from_the_worker(app: TestApp) {
        let live = app.live().await;
        // The process ended before it made the renditions. One of the photos cannot be rendered.
        let (damaged, whole) = (PhotoKey::trusted("a.png"), PhotoKey::trusted("b.png"));
        let mut pages = Vec::new();
        for (key, bytes, seconds) in [(&damaged, b"\x89PNG\r\n\x1A\n".to_vec(), 1), (&whole, photo("png"), 0)] {
            let render_at = app.now().before(std::time::Duration::from_secs(seconds));
            let path = format!("photo/{}", key.as_str());
            app.services().media.put(&path, bytes.into()).await.expect("the object store answers");
            app.store().put_photo(key.clone(), 1, app.now(), render_at).await.expect("the store answers");
            let gid = live.draft(key.as_str()).await;
            let shown = key.clone();
            let change = move |card: &mut Card| {
                card.deceased.photo = Some(shown);
                Ok::<_, ()>(Vec::new())
            };
            let scope = CardScope::Any { id: card_id(&gid) };
            app.store().change_card(scope, app.now(), change).await.expect("the card is changed");
            pages.push(gid);
        }
        app.pass(Duration::zero());
        rendered(&app, &whole).await; // the worker has passed the other photo
        assert_eq!(app.store().portrait(&damaged).await.expect("the store answers"), None);
        for (gid, is_shown) in pages.iter().zip([false, true]) {
            app.online(gid).await;
            let url = live.card(gid).await["cardUrl"].as_str().expect("an address").to_owned();
            let page = app.get(&path_of(&url)).await;
            assert_eq!((page.status, page.text().contains("/media/rendition/")), (200, is_shown));
        }
        assert_eq!(app.get(&rendition(&app, Rendition::Screen, &damaged)).await.status, 404);
    }

    async fn phone_is_offered_a_smaller_portrait(app: TestApp) {
        let live = app.live().await;
        let (gid, key) = with_photo(&live, "1", noisy_png(1_200)).await;
        app.online(&gid).await;
        let [screen, phone] = [Rendition::Screen, Rendition::Phone].map(|kind| rendition(&app, kind, &key));
        let card = live.card(&gid).await;
        let page = app.get(&path_of(card["cardUrl"].as_str().expect("an address"))).await.text();
        assert!(page.contains(&format!("srcset=\"{phone} 960w, {screen} 1200w\" sizes=\"")), "{page}");
        assert_eq!(size_of(&app.get(&phone).await.body), (960, 960));
        let nothing = Rendition::Phone.key_of(&PhotoKey::trusted("x.png"));
        assert_eq!(app.get(&format!("/media/rendition/{nothing}")).await.status, 404);
    }

    async fn renditions_go_with_their_photo(app: TestApp) {
        let live = app.live().await;
        let (gid, key) = with_photo(&live, "1", photo("jpeg")).await;
        rendered(&app, &key).await;
        live.update(&gid, json!({ "deceased": { "photoUrl": null } })).await.gid();
        for photos in [0, 1] {
            app.pass(Duration::minutes(45));
            let round = card_service::worker::housekeeping::step(app.services()).await.expect("a round");
            assert_eq!(round.photos, photos, "a photo is kept for an hour");
        }
        for path in [
            rendition(&app, Rendition::Screen, &key),
            rendition(&app, Rendition::Phone, &key),
            rendition(&app, Rendition::Preview, &key),
            format!("/media/photo/{}", key.as_str()),
        ] {
            assert_eq!(app.get(&path).await.status, 404, "{path}");
        }
    }

    async fn hostile_file_is_refused_and_changes_nothing(app: TestApp) {
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "overledene");
        let jpeg = photo("jpeg");
        for (name, bytes, message) in [
            ("bomb", bomb(), "te veel pixels"),
            ("huge HEIC", huge_heic(), "te veel pixels"),
            ("12 bits", jpeg_of_12_bits(), "geen bruikbaar formaat"),
            ("truncated", jpeg[..jpeg.len() / 2].to_vec(), "kan niet worden gelezen"),
            ("polyglot", [&b"\xFF\xD8\xFF\xE0"[..], b"=1;<script>alert(1)</script>"].concat(), "kan niet worden gelezen"),
            ("oversized", [jpeg.clone(), vec![0; 10_485_760]].concat(), "De foto is te groot"),
        ] {
            let refused = browser.upload(&path, "photo", "oma.jpg", &bytes).await;
            assert_eq!(refused.status, 422, "{name}");
            assert!(refused.text().contains(message), "{name}: {}", refused.text());
            assert_eq!(app.row(&gid).await.deceased.photo, None, "{name}");
        }
        let kept = std::fs::read_dir(app.folder().join("media/photo")).map_or(0, Iterator::count);
        assert_eq!(kept, 0, "nothing of them is kept");
    }

    async fn empty_photo_is_refused_and_a_small_one_is_saved_with_a_notice(app: TestApp) {
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "overledene");
        let refused = browser.upload(&path, "photo", "leeg.jpg", b"").await;
        assert!(refused.status == 422 && refused.text().contains("Dit bestand is leeg."), "{}", refused.text());
        assert_eq!(app.row(&gid).await.deceased.photo, None);
        for (side, is_small) in [(399, true), (400, false)] {
            let saved = browser.upload(&path, "photo", "oma.png", &noisy_png(side)).await;
            let next = saved.header("location").expect("the way on").to_owned();
            assert!(saved.status == 303 && next.starts_with(&format!("{path}?")), "{next}");
            let page = browser.get(&next).await.text();
            assert!(page.contains("De foto is opgeslagen.") && page.contains("name=\"focal_point\""), "{page}");
            assert_eq!(page.contains("data-warns=\"small\">Het is een kleine foto"), is_small, "{side}: {page}");
            assert!(!browser.get(&path).await.text().contains("De foto is opgeslagen."), "said once");
        }
        // Without a file the step goes on.
        assert_eq!(browser.upload(&path, "photo", "", b"").await.header("location"), Some(customizer(&gid, "tekst").as_str()));
    }

    async fn photo_that_a_family_sends_is_kept_without_its_position(app: TestApp) {
        let (live, gid, mut browser) = app.draft_in_customizer("1").await;
        let hidden = [photo_with_position(), b"PK\x03\x04<script>alert(1)</script>".to_vec()].concat();
        let saved = browser.upload(&customizer(&gid, "overledene"), "photo", "oma.jpg", &hidden).await;
        assert_eq!(saved.status, 303, "{}", saved.text());
        let url = live.card(&gid).await["deceased"]["photoUrl"].as_str().expect("an address").to_owned();
        let own = app.get(&path_of(&url)).await;
        assert_eq!(size_of(&own.body), (64, 96));
        for trace in [&b"Exif"[..], b"<script"] {
            assert!(!own.body.windows(trace.len()).any(|bytes| bytes == trace));
        }
    }
}
