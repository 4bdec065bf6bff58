//! The card on paper: dark text on white in every theme, also in one that is dark on a screen.

use serde_json::json;

use super::chromium::{Chromium, Kind};
use super::gallery::{THEMES, dressed};
use super::stage::Stage;
use crate::app::{FreshDatabase, tamper};

/// The computed colours of the page, its sheet, and its texts.
const COLOURS: &str = "
    const of = (css, property) => getComputedStyle(document.querySelector(css))[property];
    return [of('html', 'colorScheme'), of('body', 'backgroundColor'), of('.sheet', 'backgroundColor'),
            of('body', 'color'), of('h1', 'color'), of('.lead', 'color'), of('.dates', 'color')];";

on_sqlite! {
    async fn card_in_every_theme_prints_dark_on_white(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let browser = Chromium::start(Kind { script: true, width: 1_280 }).await;
        let gid = stage.full_card(THEMES[0]).await;
        browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
        for theme in THEMES {
            tamper(&database.url, &dressed(theme, "PORTRAIT")).await;
            browser.media("screen").await;
            browser.open(&format!("{}/voorbeeld", stage.customizer(&gid))).await;
            browser.media("print").await;
            let (white, ink, soft) = ("rgb(255, 255, 255)", "rgb(28, 28, 28)", "rgb(74, 74, 74)");
            let expected = json!(["light", white, white, ink, ink, soft, soft]);
            assert_eq!(browser.ask(COLOURS).await, expected, "{theme}");
        }
        browser.stop().await;
    }
}
