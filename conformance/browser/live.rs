//! The card next to the form: as it is stored and, with script, as the form has it now.

use std::time::Duration;

use serde_json::{Value, json};

use super::axe::assert_accessible;
use super::chromium::{Chromium, Kind};
use super::gallery::THEMES;
use super::stage::Stage;
use crate::app::{FreshDatabase, wait_for};

const TAB: char = '\u{E004}';

/// The page in the frame.
const CARD: &str = "document.querySelector('.live iframe').contentDocument";
/// The width of the frame and the number of its loads, both 0 where it is hidden.
const UNUSED: &str = "
    const frame = document.querySelector('.live iframe');
    const loaded = performance.getEntriesByType('resource').filter((entry) => entry.name.endsWith('/kaart'));
    return [frame.offsetWidth, loaded.length];";
/// The place of the form, and how far the parts of the page have moved since it was opened (Web Vitals: CLS).
const PLACE: &str = "
    const done = arguments[arguments.length - 1];
    let shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shift += entry.value; }))
        .observe({ type: 'layout-shift', buffered: true });
    const { left, top, width } = document.querySelector('main form').getBoundingClientRect();
    setTimeout(() => done([left, top, width, shift]), 300);";

/// Waits until a question about the card in the frame has this answer.
async fn card_becomes(browser: &Chromium, question: &str, expected: Value) {
    let script = format!("const card = {CARD}; return card && card.querySelector('.sheet') ? {question} : null;");
    let what = format!("{question} is {expected}");
    let expected = &expected;
    wait_for(&what, || async { (browser.ask(&script).await == *expected).then_some(()) }).await;
}

/// Opens a step of a new card with everything on it.
async fn at_step(stage: &Stage, kind: Kind, step: &str) -> (Chromium, String) {
    let gid = stage.full_card(THEMES[0]).await;
    let browser = Chromium::start(kind).await;
    browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
    let step = format!("{}/{step}", stage.customizer(&gid));
    browser.open(&step).await;
    (browser, step)
}

on_sqlite! {
    async fn typed_text_is_on_the_card_before_it_is_saved(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let (browser, step) = at_step(&stage, Kind { script: true, width: 1_280 }, "tekst").await;
        card_becomes(&browser, "card.querySelector('.words')", Value::Null).await;
        let before = browser.ask_later(PLACE).await;
        assert_accessible(&browser).await;
        browser.ask(&format!("{CARD}.kept = 'yes'")).await;
        browser.fill("text", "Rust zacht.").await;
        card_becomes(&browser, "card.querySelector('.words')?.innerText", json!("Rust zacht.")).await;
        let is_seen = "card.querySelector('.words').getBoundingClientRect().bottom < card.defaultView.innerHeight";
        card_becomes(&browser, is_seen, json!(true)).await;
        card_becomes(&browser, "[card.kept, card.body.inert]", json!(["yes", true])).await;
        let after = browser.ask_later(PLACE).await;
        assert_eq!(before, after, "the form stays where it is");
        assert_eq!(after[3], json!(0));
        assert_eq!(browser.ask("return document.activeElement.id").await, "text");
        browser.key(TAB).await;
        assert_eq!(browser.ask("return document.activeElement.matches('.actions button')").await, true);
        // Input that the server would refuse changes nothing, and nothing was stored.
        let long = "document.getElementById('text').value = 'a'.repeat(5001)";
        browser.ask(&format!("{long}; document.getElementById('text').dispatchEvent(new Event('input', {{ bubbles: true }}))")).await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        card_becomes(&browser, "card.querySelector('.words')?.innerText", json!("Rust zacht.")).await;
        browser.ask("sessionStorage.clear()").await; // what the tab keeps of it
        browser.open(&step).await;
        assert_eq!(browser.ask("return document.getElementById('text').value").await, "");
        card_becomes(&browser, "card.querySelector('.words')", Value::Null).await;
        browser.media("print").await;
        assert_eq!(browser.ask("return document.querySelector('.live').offsetWidth").await, 0);
        browser.stop().await;
    }

    async fn chosen_theme_and_layout_are_on_the_card_before_they_are_saved(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let (browser, step) = at_step(&stage, Kind { script: true, width: 1_280 }, "thema").await;
        let colour = "getComputedStyle(card.body).backgroundColor";
        card_becomes(&browser, colour, json!("rgb(237, 241, 226)")).await;
        for (name, shown) in [("Avondrood", "rgb(36, 28, 44)"), ("Zee", "rgb(230, 237, 241)")] {
            browser.ask(&format!("[...document.querySelectorAll('.choice label')].find((label) => label.innerText.includes('{name}')).click()")).await;
            card_becomes(&browser, colour, json!(shown)).await;
        }
        assert_accessible(&browser).await;
        browser.open(&step).await;
        card_becomes(&browser, "[card.body.className, card.defaultView.innerWidth > 900]", json!(["layout-portrait", true])).await;
        browser.click("#layout_2").await;
        card_becomes(&browser, "card.body.className", json!("layout-text")).await;
        assert_accessible(&browser).await;
        browser.stop().await;
    }

    async fn telephone_loads_the_card_only_when_it_is_opened(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let (browser, _) = at_step(&stage, Kind { script: true, width: 390 }, "tekst").await;
        browser.fill("text", "Rust zacht.").await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(browser.ask(UNUSED).await, json!([0, 0]));
        browser.click(".look").await;
        card_becomes(&browser, "card.querySelector('.words')?.innerText", json!("Rust zacht.")).await;
        assert_accessible(&browser).await;
        browser.stop().await;
    }
}
