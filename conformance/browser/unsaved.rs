//! A family whose visit ended while it wrote: what it wrote is on the page, and is saved after a new link.

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
    browser.page.delete_all_cookies().await.expect("cookies can be deleted");
    browser.click("main form .actions button").await;
    browser.says("is nog niet opgeslagen").await;
    browser.says("Wat zullen we je missen.").await;
    assert_accessible(&browser).await;
    assert_eq!(browser.ask("return !!document.querySelector('dl .copy, dl button')").await, kind.script);

    let here = browser.page.window().await.expect("a window");
    let other = browser.page.new_window(true).await.expect("another tab");
    browser.page.switch_to_window(other.handle).await.expect("the other tab");
    browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
    browser.page.switch_to_window(here).await.expect("the first tab");
    browser.click("main form button").await;
    browser.says("sla het alsnog op").await;
    assert_accessible(&browser).await;
    browser.click("main form button").await;
    browser.until("/uitzending").await;
    browser.open(&format!("{}/tekst", stage.customizer(&gid))).await;
    assert_eq!(browser.ask("return document.getElementById('text').value").await, TEXT);
    browser.stop().await;
}

#[test]
fn family_on_a_narrow_telephone_loses_nothing_when_its_visit_ends() {
    run_alone(Database::Sqlite, |database| visit_ends(database, Kind { script: true, width: 360 }));
}

#[test]
fn family_without_script_loses_nothing_when_its_visit_ends() {
    run_alone(Database::Sqlite, |database| visit_ends(database, Kind { script: false, width: 1280 }));
}
