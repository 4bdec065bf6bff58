//! The administration in a browser: each page for everybody, on a desk, on a telephone and without script; a key issued
//! and revoked by keyboard alone.

use super::axe::{assert_accessible, assert_fits};
use super::chromium::{Chromium, Kind, keep_picture};
use super::journey::{ENTER, tab_to, type_text};
use super::stage::Stage;
use crate::app::picture::flat_png;
use crate::app::{Database, FreshDatabase, card_id, run_alone};

/// Opens each page, in a browser of this kind.
async fn read(database: FreshDatabase, kind: Kind) {
    let stage = Stage::set(&database);
    let gid = stage.full_card("linde").await;
    stage.operate(&["card", "order", &gid]);
    stage.online(&gid).await;
    stage.link(&gid, "CUSTOMIZER").await;
    let logo = database.folder.path().join("logo.png");
    std::fs::write(&logo, flat_png(90, 30)).expect("the file is written");
    stage.operate(&["partner", "set", "Noord", &format!("logo={}", logo.display())]);
    let browser = Chromium::start(kind).await;
    let link = stage.admin_link();
    let at = |path: &str| format!("{}{path}", link.split("/admin/").next().expect("a start"));
    browser.open(&link).await;
    browser.until("/admin").await;
    assert_accessible(&browser).await;
    browser.click("main section details summary").await;
    assert_accessible(&browser).await;
    browser.fill("what", "unknown").await;
    browser.click("main form button").await;
    browser.says("No card is known by").await;
    assert_accessible(&browser).await;
    browser.fill("what", "2").await;
    browser.click("main form button").await;
    browser.until(&format!("/admin/card/{}", card_id(&gid))).await;
    for words in ["CARDS_ACTIVATED", "Mail ORDER", "Session (link) CUSTOMIZER"] {
        browser.says(words).await;
    }
    assert_accessible(&browser).await;
    browser.click("td button[name=session]").await;
    browser.says("The session has ended.").await;
    assert_accessible(&browser).await;
    for page in [
        "/admin/cards",
        "/admin/orders",
        "/admin/subscriptions",
        "/admin/mails",
        "/admin/themes",
        "/admin/checks",
        "/admin/nothing",
    ] {
        browser.open(&at(page)).await;
        assert_accessible(&browser).await;
    }
    browser.open(&at("/admin/themes")).await;
    browser.click("td a").await;
    browser.says("Johanna van der Meer").await;
    let loaded = "return [...document.images].every((image) => image.complete && image.naturalWidth > 0)";
    assert!(browser.ask(loaded).await == true, "the pictures of the theme are shown");
    assert_accessible(&browser).await;
    browser.open(&at("/admin/partners")).await;
    assert_accessible(&browser).await;
    browser.click("td a").await;
    browser.says("Issue a key").await;
    assert!(browser.ask(loaded).await == true, "the logo is shown");
    assert_accessible(&browser).await;
    browser.click("input[value=test]").await;
    browser.click("button[name=issue]").await;
    browser.says("It is shown this once.").await;
    assert_accessible(&browser).await;
    browser.open(&link).await;
    browser.says("This link opens nothing").await;
    assert_accessible(&browser).await;
    browser.stop().await;
}

#[test]
fn administration_is_read_on_a_desk() {
    run_alone(Database::Sqlite, |database| read(database, Kind { script: true, width: 1280 }));
}

#[test]
fn administration_is_read_on_a_telephone() {
    run_alone(Database::Sqlite, |database| read(database, Kind { script: true, width: 360 }));
}

#[test]
fn administration_is_read_without_script() {
    run_alone(Database::Sqlite, |database| read(database, Kind { script: false, width: 1280 }));
}

on_sqlite! {
    async fn administration_is_read_at_every_width_in_the_dark_and_in_forced_colours(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let gid = stage.full_card("linde").await;
        stage.operate(&["card", "order", &gid]);
        stage.online(&gid).await;
        let browser = Chromium::start(Kind { script: true, width: 1280 }).await;
        let link = stage.admin_link();
        let at = |path: &str| format!("{}{path}", link.split("/admin/").next().expect("a start"));
        browser.open(&link).await;
        browser.until("/admin").await;
        let partner = browser.ask("return (await (await fetch('/admin/partners')).text()).match(/\\/admin\\/partners\\/[-0-9a-f]+/)[0]").await;
        let bar = "return getComputedStyle(document.querySelector('.bars rect')).fill";
        let mut bars = Vec::new();
        for (name, value) in [("prefers-color-scheme", "light"), ("prefers-color-scheme", "dark"), ("forced-colors", "active")] {
            browser.prefer(name, value).await;
            for page in ["/admin", partner.as_str().expect("an address"), &format!("/admin/card/{}", card_id(&gid)), "/admin/cards", "/admin/nothing"] {
                browser.open(&at(page)).await;
                assert_accessible(&browser).await;
                keep_picture(&browser, &format!("{value}{}", page.replace('/', "-"))).await;
                if page == "/admin" {
                    bars.push(browser.ask(bar).await);
                }
            }
        }
        assert!(bars[0] != bars[1] && bars[1] != bars[2], "{bars:?}");
        browser.prefer("prefers-color-scheme", "light").await;
        for width in [320, 390, 768, 1024, 1440, 1920] {
            browser.resize((width, 900)).await;
            for page in ["/admin", partner.as_str().expect("an address"), "/admin/mails"] {
                browser.open(&at(page)).await;
                assert_fits(&browser).await;
                keep_picture(&browser, &format!("{width}{}", page.replace('/', "-"))).await;
            }
        }
        browser.stop().await;
    }

    async fn keyboard_finds_a_card_and_issues_and_revokes_a_key(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let gid = stage.full_card("zee").await;
        let browser = Chromium::start(Kind { script: true, width: 1280 }).await;
        browser.open(&stage.admin_link()).await;
        browser.until("/admin").await;
        tab_to(&browser, "a.skip").await;
        tab_to(&browser, "#what").await;
        type_text(&browser, "2").await;
        browser.key(ENTER).await;
        browser.until(&format!("/admin/card/{}", card_id(&gid))).await;
        tab_to(&browser, "nav a[href='/admin/partners']").await;
        browser.key(ENTER).await;
        browser.until("/admin/partners").await;
        tab_to(&browser, "td a").await;
        browser.key(ENTER).await;
        browser.says("Issue a key").await;
        tab_to(&browser, "input[name=mode]").await;
        browser.key(' ').await;
        tab_to(&browser, "#label").await;
        type_text(&browser, "kassa").await;
        tab_to(&browser, "button[name=issue]").await;
        browser.key(ENTER).await;
        browser.says("It is shown this once.").await;
        tab_to(&browser, "main a.button").await;
        browser.key(ENTER).await;
        browser.says("kassa").await;
        tab_to(&browser, "tr:last-child summary").await;
        browser.key(ENTER).await;
        tab_to(&browser, "tr:last-child button[name=revoke]").await;
        browser.key(ENTER).await;
        browser.says("The key is revoked.").await;
        let keys = stage.operate(&["key", "list", "--partner", "Noord"]);
        let last = keys["keys"].as_array().and_then(|keys| keys.last()).expect("two keys").clone();
        assert!(last["label"] == "kassa" && last["revokedAt"].is_string(), "{keys}");
        tab_to(&browser, "footer button").await;
        browser.key(ENTER).await;
        browser.says("You are signed out").await;
        browser.stop().await;
    }
}
