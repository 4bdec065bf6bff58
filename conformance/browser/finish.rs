//! Choosing and finishing on the screen of a telephone: themes side by side, the bar of the preview, and the page after the order.

use serde_json::json;

use super::axe::assert_accessible;
use super::chromium::{Chromium, Kind};
use super::gallery::THEMES;
use super::journey::tab_to;
use super::stage::Stage;
use crate::app::FreshDatabase;

/// The bar as it is on the screen now: whether it is whole, and at the bottom.
const BAR: &str = "
    const bar = document.querySelector('.bar').getBoundingClientRect();
    return bar.top > 0 && Math.abs(bar.bottom - window.innerHeight) < 2;";

/// Replaces the share sheet and the clipboard of a phone, and records what they get.
const RECORD_SHARING: &str = "
    window.sharing = [];
    navigator.share = async (data) => void window.sharing.push({ shared: data });
    navigator.clipboard.writeText = async (text) => void window.sharing.push({ copied: text });";

on_sqlite! {
    async fn telephone_shows_two_themes_in_a_row_and_keeps_the_bar_of_the_preview(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let gid = stage.full_card(THEMES[0]).await;
        let browser = Chromium::start(Kind { script: true, width: 320 }).await;
        browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
        browser.open(&format!("{}/thema", stage.customizer(&gid))).await;
        let rows = "
            const choices = [...document.querySelectorAll('#theme .choice')].map((choice) => choice.getBoundingClientRect());
            const names = [...document.querySelectorAll('.choice .mini .who')].map((name) => name.textContent);
            return [choices[0].top === choices[1].top, choices[1].top < choices[2].top, new Set(names).size];";
        assert_eq!(browser.ask(rows).await, json!([true, true, 1]));
        assert_eq!(browser.ask("return document.querySelectorAll('.choice svg.drawing').length").await, 3);
        assert_accessible(&browser).await;
        browser.open(&format!("{}/voorbeeld", stage.customizer(&gid))).await;
        assert_eq!(browser.ask(BAR).await, true, "before scrolling");
        browser.ask("window.scrollTo(0, 200)").await;
        assert_eq!(browser.ask(BAR).await, true, "after scrolling");
        assert_accessible(&browser).await;
        tab_to(&browser, ".bar a[href$='/bestellen']").await;
        browser.click(".bar a.quiet").await;
        browser.says("Onderdelen").await;
        browser.stop().await;
    }

    async fn page_after_the_order_copies_the_address_and_opens_the_list(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let gid = stage.full_card(THEMES[0]).await;
        stage.operate(&["card", "order", &gid]);
        let url = stage.online(&gid).await;
        let browser = Chromium::start(Kind { script: true, width: 320 }).await;
        browser.before_pages(RECORD_SHARING).await;
        browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
        browser.open(&format!("{}/besteld", stage.customizer(&gid))).await;
        browser.says("De kaart delen").await;
        assert_eq!(browser.ask("return document.querySelector('code.address + button').textContent").await, "Adres kopiëren");
        browser.click("code.address + button").await;
        browser.says("Gekopieerd").await;
        let share = "return [...document.querySelectorAll('button')].filter((b) => b.textContent === 'Delen').length";
        assert_eq!(browser.ask(share).await, json!(1));
        browser.ask("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Delen').click()").await;
        assert_eq!(browser.ask("return window.sharing").await, json!([{ "copied": url }, { "shared": { "url": url } }]));
        assert_eq!(browser.ask("return document.querySelector('code.address').textContent").await, json!(url));
        browser.click("details summary").await;
        let square = "const qr = document.querySelector('.qr').getBoundingClientRect(); return [qr.width > 150, qr.width === qr.height];";
        assert_eq!(browser.ask(square).await, json!([true, true]));
        assert_accessible(&browser).await;
        tab_to(&browser, "form[action$='/genodigden'] button").await;
        browser.click("form[action$='/genodigden'] button").await;
        browser.says("Lijst van genodigden").await;
        assert_accessible(&browser).await;
        browser.click("details.many:nth-of-type(2) summary").await;
        let people: String = (1..=11).map(|n| format!("Truus Jansen {n} <truus{n}@post.nl>\\n")).collect();
        browser.ask(&format!("document.getElementById('lijst').value = \"{people}\"")).await;
        browser.click("form[action$='/plakken'] button").await;
        browser.says("Klopt deze lijst?").await;
        assert_accessible(&browser).await;
        browser.click("form[action$='/overnemen'] button").await;
        browser.says("11 uitnodigingen versturen").await;
        browser.open(&stage.url(&browser.path().await)).await;
        for sent in [false, true] {
            if sent {
                browser.click("form.all summary").await;
                browser.click("button[name=allen]").await;
                browser.says("Uitgenodigd").await;
            }
            browser.resize((390, 664)).await;
            let end = browser.ask("return scrollY + document.querySelector('.people li:last-child').getBoundingClientRect().bottom").await;
            assert!(end.as_f64().is_some_and(|end| end < 1_600.0), "eleven people end at {end} px, invited: {sent}");
            assert_accessible(&browser).await;
        }
        browser.stop().await;
    }
}
