//! The reference of the API, as partners' developers read it: on a desk, on a telephone, with the search, without script.

use super::axe::{assert_accessible, assert_fits};
use super::chromium::{Chromium, Kind};
use super::stage::Stage;
use crate::app::{Database, FreshDatabase, run_alone};

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
