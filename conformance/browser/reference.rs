//! The reference of the API, as partners' developers read it: on a desk, on a telephone, with the search, without script.

use super::axe::{assert_accessible, assert_fits};
use super::chromium::{Chromium, Kind, keep_picture};
use super::journey::{ENTER, tab_to};
use super::stage::Stage;
use crate::app::{Database, FreshDatabase, run_alone, wait_for};

async fn read(database: FreshDatabase, kind: Kind) {
    let stage = Stage::set(&database);
    let browser = Chromium::start(kind).await;
    browser.open(&stage.url("/docs")).await;
    assert!(browser.path().await.starts_with("/docs/20"), "the latest version");
    for name in
        ["first-card", "changing", "sessions", "webhooks", "errors", "idempotency", "limits", "going-live", "versions"]
    {
        browser.open(&stage.url(&format!("/docs/2026-10/{name}"))).await;
        // The pages of the guide have one layout: axe-core reads the first one of a telephone, and all of a desk.
        if kind.width > 400 || name == "first-card" {
            assert_accessible(&browser).await
        } else {
            assert_fits(&browser).await
        }
    }
    read_samples(&browser, &stage, kind).await;
    if kind.script {
        browser.fill("search", "retry-after throttled").await;
        browser.says("Errors and statuses: Request errors").await;
        assert_accessible(&browser).await;
        browser.click("form li:first-child a").await;
        let path = browser.path().await;
        assert!(path.starts_with("/docs/2026-10/"), "{path}");
    }
    let form = browser.ask("return getComputedStyle(document.querySelector('form')).display !== 'none'").await;
    assert_eq!(form, kind.script, "who has no script sees no search that does nothing");
    for page in ["/docs/versions", "/docs/changelog", "/docs/2026-10"] {
        browser.open(&stage.url(page)).await;
        assert_accessible(&browser).await;
    }
    browser.click(".list a[href='2026-10/Card#Card']").await;
    browser.until("/docs/2026-10/Card").await;
    assert_accessible(&browser).await;
    browser.click("dt a[href='CardStatus#CardStatus']").await;
    browser.until("/docs/2026-10/CardStatus").await;
    browser.stop().await;
}

/// Opens the program of a language by mouse, by keyboard and by its address. One is shown at a time, and its lines fit the screen.
async fn read_samples(browser: &Chromium, stage: &Stage, kind: Kind) {
    let page = stage.url("/docs/2026-10/first-card");
    browser.open(&page).await;
    let shown = "return [...document.querySelectorAll('.samples pre')].filter((program) => program.checkVisibility()).map((program) =>
        program.closest('details').querySelector('p').innerText + (program.scrollWidth > program.clientWidth ? ' is cut off' : '')).join()";
    let is_shown = async |file: &str| {
        wait_for(file, || async { (browser.ask(shown).await == file).then_some(()) }).await;
    };
    is_shown("first_card.mjs").await;
    let tops = "return new Set([...document.querySelectorAll('.samples summary')].map((tab) => tab.getBoundingClientRect().top)).size";
    assert_eq!(browser.ask(tops).await, 1, "the languages are beside each other");
    browser.click("details:has(#first_cardpy) summary").await;
    is_shown("first_card.py").await;
    keep_picture(browser, &format!("guide-{}-python", kind.width)).await;
    browser.open(&format!("{page}#firstcardjava")).await;
    is_shown("FirstCard.java").await;
    assert_accessible(browser).await;
    browser.open(&page).await;
    if kind.script {
        tab_to(browser, "details:has(#firstcardcs) summary").await;
        browser.key(ENTER).await;
        is_shown("FirstCard.cs").await;
        for (name, value) in [("prefers-color-scheme", "dark"), ("forced-colors", "active")] {
            browser.prefer(name, value).await;
            for name in ["first-card", "idempotency", "webhooks", "versions"] {
                browser.open(&stage.url(&format!("/docs/2026-10/{name}"))).await;
                assert_accessible(browser).await;
                keep_picture(browser, &format!("guide-{}-{value}-{name}", kind.width)).await;
            }
        }
        browser.prefer("prefers-color-scheme", "light").await;
        browser.open(&page).await;
    }
}

#[test]
fn reference_is_read_on_a_desk() {
    run_alone(Database::Sqlite, |database| read(database, Kind { script: true, width: 1280 }));
}

#[test]
fn reference_is_read_on_a_telephone() {
    run_alone(Database::Sqlite, |database| read(database, Kind { script: true, width: 360 }));
}

#[test]
fn reference_is_read_without_script() {
    run_alone(Database::Sqlite, |database| read(database, Kind { script: false, width: 1280 }));
}
