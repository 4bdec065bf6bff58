//! A browser session ends while the family writes: the page gives the input back, which is saved after a new link.

use super::axe::assert_accessible;
use super::chromium::{Chromium, Kind};
use super::stage::Stage;
use crate::app::{Database, FreshDatabase, run_alone};

const TEXT: &str = "Lieve mama,\n\nWat zullen we je missen.";

async fn visit_ends(database: FreshDatabase, kind: Kind) {
    let stage = Stage::set(&database);
    let gid = stage.card().await;
    let browser = Chromium::start(kind).await;
    browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
    browser.open(&format!("{}/tekst", stage.customizer(&gid))).await;
    browser.fill("text", TEXT).await;
    browser.delete_cookies().await;
    browser.click("main form .actions button").await;
    browser.says("is nog niet opgeslagen").await;
    browser.says("Wat zullen we je missen.").await;
    assert_accessible(&browser).await;
    assert_eq!(browser.ask("return !!document.querySelector('dl .copy, dl button')").await, kind.script);

    let here = browser.tab().await;
    let other = browser.new_tab().await;
    browser.switch_to(&other).await;
    browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
    browser.switch_to(&here).await;
    browser.click("main form button").await;
    browser.says("sla het alsnog op").await;
    assert_accessible(&browser).await;
    browser.click("main form button").await;
    browser.until("/afscheid").await;
    browser.open(&format!("{}/tekst", stage.customizer(&gid))).await;
    assert_eq!(browser.ask("return document.getElementById('text').value").await, TEXT);
    browser.stop().await;
}

#[test]
fn narrow_phone_keeps_its_text_when_the_session_ends() {
    run_alone(Database::Sqlite, |database| visit_ends(database, Kind { script: true, width: 360 }));
}

#[test]
fn page_without_script_keeps_its_text_when_the_session_ends() {
    run_alone(Database::Sqlite, |database| visit_ends(database, Kind { script: false, width: 1280 }));
}
