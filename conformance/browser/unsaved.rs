//! What was typed and not saved: after the end of the browser session the page gives it back, and it is there again after every way out of
//! a step.

use super::axe::assert_accessible;
use super::chromium::{Chromium, Kind};
use super::stage::Stage;
use crate::app::{Database, FreshDatabase, run_alone, wait_for};

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

/// Each step with a field that is typed into.
const FIELDS: [(&str, &str); 4] =
    [("overledene", "first_name"), ("tekst", "text"), ("afscheid", "farewell_note"), ("contact", "contact_name")];

/// Leaves the page; with script by its links and the browser too.
async fn leave(browser: &Chromium, way: &str, stage: &Stage) {
    match way {
        "reload" => browser.reload().await,
        "back" => browser.back().await,
        "address" => browser.open(&stage.url("/toegankelijkheid")).await,
        // Sent, and never arrived.
        "offline" => {
            browser.set_offline(true).await;
            browser.click("main form .actions button").await;
            let has_gone =
                async || (browser.ask("return !document.querySelector('main form')").await == true).then_some(());
            wait_for("the page of the browser", has_gone).await;
            browser.set_offline(false).await;
        }
        button => browser.click(button).await,
    }
}

async fn every_way_out(database: FreshDatabase, kind: Kind) {
    let stage = Stage::set(&database);
    let gid = stage.card().await;
    let browser = Chromium::start(kind).await;
    browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
    let buttons = [".back button[value=vorige]", ".back button[value=overzicht]"];
    let links = [".links a", "reload", "back", "address", "offline"];
    let ways: Vec<_> = buttons.into_iter().chain(links.into_iter().filter(|_| kind.script)).collect();
    for (step, field) in FIELDS {
        let step = format!("{}/{step}", stage.customizer(&gid));
        for (number, way) in ways.iter().enumerate() {
            browser.open(&stage.url("/toegankelijkheid")).await;
            browser.open(&step).await;
            let typed = format!("Woorden {number}");
            browser.fill(field, &typed).await;
            let there = browser.path().await;
            leave(&browser, way, &stage).await;
            if !["reload", "offline"].contains(way) {
                wait_for(way, || async { (browser.path().await != there).then_some(()) }).await;
            }
            browser.open(&step).await;
            let value = format!("return document.getElementById('{field}').value");
            assert_eq!(browser.ask(&value).await, typed, "{step} left by {way}");
        }
        if kind.script {
            browser.says("Dit had u al ingevuld, maar niet opgeslagen.").await;
            assert_accessible(&browser).await;
        }
        // Saved once, nothing is left to fill in.
        browser.click("main form .actions button").await;
        wait_for("the next step", || async { (!step.ends_with(&browser.path().await)).then_some(()) }).await;
        browser.open(&step).await;
        assert!(!browser.text().await.contains("Dit had u al ingevuld."), "{step}");
    }
    browser.stop().await;
}

#[test]
fn every_way_out_of_a_step_keeps_what_was_typed() {
    for kind in [Kind { script: true, width: 390 }, Kind { script: false, width: 1_280 }] {
        run_alone(Database::Sqlite, move |database| every_way_out(database, kind));
    }
}
