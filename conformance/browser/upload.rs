//! The page of the portrait while a photo is sent: its progress, and the error of a file that cannot be used.

use serde_json::json;

use super::axe::assert_accessible;
use super::chromium::{Chromium, Kind};
use super::journey::SEND;
use super::stage::Stage;
use crate::app::picture::{flat_png, noisy_png};
use crate::app::{FreshDatabase, wait_for};

/// The text of the status, and the share of the file that was sent.
const SENDING: &str = "
    const [status, bar] = ['.sending', 'form progress'].map((css) => document.querySelector(css));
    return [status && status.textContent, bar && bar.value];";

on_sqlite! {
    /// Without script all of the file is sent before the browser reads the response.
    async fn photo_far_over_the_limit_is_refused_at_its_field(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let gid = stage.card().await;
        let folder = tempfile::tempdir().expect("a folder for files");
        let path = folder.path().join("groot.jpg");
        std::fs::write(&path, vec![0; 25 * 1024 * 1024]).expect("the file is written");
        let browser = Chromium::start(Kind { script: false, width: 1_280 }).await;
        browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
        browser.open(&format!("{}/overledene", stage.customizer(&gid))).await;
        browser.type_into("#photo", path.to_str().expect("a UTF-8 path")).await;
        browser.click(SEND).await;
        browser.says("De foto is te groot.").await;
        assert!(browser.path().await.ends_with("/overledene"));
        assert_eq!(browser.ask("return document.querySelectorAll('#photo').length").await, 1);
        browser.stop().await;
    }

    /// What the card will show of a photo, before anything is sent: on the card beside the form, and in two warnings.
    async fn chosen_photo_is_on_the_card_with_its_warnings_before_it_is_sent(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let gid = stage.card().await;
        let folder = tempfile::tempdir().expect("a folder for files");
        let browser = Chromium::start(Kind { script: true, width: 1_280 }).await;
        browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
        let step = format!("{}/overledene", stage.customizer(&gid));
        browser.open(&step).await;
        for (size, shape, expected) in [
            ((3_600, 800), " wide", ["cut"].as_slice()),
            ((60, 80), "", &["small"]),
            ((900, 1_200), "kept r75", &[]),
            ((100, 400), " tall", &["cut"]),
            ((1_500, 1_000), "kept r150", &[]),
        ] {
            let file = folder.path().join(format!("{}.png", size.0));
            std::fs::write(&file, flat_png(size.0, size.1)).expect("the file is written");
            browser.type_into("#photo", file.to_str().expect("a UTF-8 path")).await;
            let class = "
                const card = document.querySelector('.live iframe').contentDocument;
                const photo = card && card.querySelector('.portrait img');
                return photo && photo.src.startsWith('blob:') && photo.complete && photo.naturalWidth ? [photo.className, photo.naturalWidth] : null;";
            wait_for("the photo is on the card", || async {
                let shown = browser.ask(class).await;
                (shown[1] == json!(size.0) && shown[0].as_str().is_some_and(|class| class.ends_with(shape))).then_some(())
            })
            .await;
            let warned = "return [...document.querySelectorAll('[data-warns]')].filter((part) => !part.hidden).map((part) => part.dataset.warns)";
            assert_eq!(browser.ask(warned).await, json!(expected), "{size:?}");
            let parts = "return Math.min(...[...document.querySelectorAll('.focal label')].flatMap((part) => [part.offsetWidth, part.offsetHeight]))";
            assert!(browser.ask(parts).await.as_f64().is_some_and(|least| least >= 24.0), "{size:?}: parts can be pressed (WCAG 2.5.8)");
        }
        assert_accessible(&browser).await;
        browser.open(&step).await;
        assert_eq!(browser.ask("return document.querySelectorAll('.focal[hidden]').length").await, 1, "nothing was stored");
        browser.stop().await;
    }

    async fn photo_shows_its_progress_and_its_errors(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let gid = stage.card().await;
        let folder = tempfile::tempdir().expect("a folder for files");
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).expect("the file is written");
            path.to_str().expect("a UTF-8 path").to_owned()
        };
        let browser = Chromium::start(Kind { script: true, width: 390 }).await;
        browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
        let step = format!("{}/overledene", stage.customizer(&gid));
        browser.open(&step).await;

        browser.type_into("#photo", &file("groot.jpg", &vec![0; 11 * 1024 * 1024])).await;
        browser.click(SEND).await;
        browser.says("De foto is te groot.").await;
        assert_eq!(browser.ask(SENDING).await, json!(["", null]), "nothing was sent");
        assert_accessible(&browser).await;
        assert_eq!(browser.ask("return document.activeElement.id").await, "photo");

        browser.type_into("#photo", &file("brief.jpg", b"Geen foto")).await;
        browser.click(SEND).await;
        browser.says("Dit bestand heeft geen bruikbaar formaat.").await;
        assert!(browser.path().await.ends_with("/overledene"));
        assert_eq!(browser.ask("return document.activeElement.className").await, "errors");
        assert_accessible(&browser).await;

        browser.type_into("#photo", &file("oma.png", &noisy_png(700))).await;
        browser.says("Zo komt de foto op de kaart").await;
        browser.slow_down(250_000).await;
        browser.click(SEND).await;
        let shown = wait_for("a part is sent", || async {
            let shown = browser.ask(SENDING).await;
            let part = shown[1].as_f64()?;
            (part > 0.0 && part < 1.0).then_some(shown)
        })
        .await;
        assert_eq!(shown[0], "Bezig met versturen…", "{shown}");
        // The point was chosen on the photo before it was sent.
        browser.until("/tekst").await;
        browser.slow_down(100_000_000).await;
        browser.open(&step).await;
        assert_accessible(&browser).await;
        assert_eq!(browser.ask("return document.querySelector('.focal :checked').value").await, "5,2");
        browser.stop().await;
    }

    async fn photo_without_script_is_shown_before_the_next_step(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let gid = stage.card().await;
        let path = database.folder.path().join("oma.png");
        std::fs::write(&path, noisy_png(700)).expect("the file is written");
        let browser = Chromium::start(Kind { script: false, width: 390 }).await;
        browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
        browser.open(&format!("{}/overledene", stage.customizer(&gid))).await;
        browser.type_into("#photo", path.to_str().expect("a UTF-8 path")).await;
        browser.click(SEND).await;
        browser.says("De foto is opgeslagen.").await;
        assert_accessible(&browser).await;
        browser.click(".focal label:nth-child(6)").await;
        browser.click(SEND).await;
        browser.until("/tekst").await;
        browser.open(&format!("{}/overledene", stage.customizer(&gid))).await;
        assert_eq!(browser.ask("return document.querySelector('.focal :checked').value").await, "9,5");
        browser.stop().await;
    }
}
