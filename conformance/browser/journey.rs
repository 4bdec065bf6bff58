//! The whole way from a link to a card that is online, as families go it.

use super::axe::{assert_accessible, assert_fits};
use super::chromium::{Chromium, Kind, LETTERS};
use super::gallery::{THEMES, portrait};
use super::stage::Stage;
use crate::app::{Database, FreshDatabase, run_alone, tamper, wait_for};

pub(super) const SEND: &str = "main form .actions button";

/// Fills in every page in its turn, goes back to it and on again, and orders. Each page fits the screen; `gallery` checks it with axe-core.
async fn with_pointer(database: FreshDatabase, kind: Kind, letters: u32) {
    let stage = Stage::set(&database);
    let gid = stage.card().await;
    let link = stage.link(&gid, "CUSTOMIZER").await;
    let browser = Chromium::start_with_letters(kind, letters).await;
    browser.open(&link).await;
    browser.until("/thema").await;
    assert_fits(&browser).await;
    browser.click(SEND).await;
    browser.says("Kies een thema om verder te gaan.").await;
    assert_fits(&browser).await;

    browser.click("#theme_1").await;
    browser.click("#layout_1").await;
    browser.click(SEND).await;
    browser.says("Kies wie de kaart mag zien.").await;
    wait_for("the summary of the errors has the focus", || async {
        (browser.ask("return document.activeElement.className").await == "errors").then_some(())
    })
    .await;
    browser.click("#visibility_0").await;
    browser.click(SEND).await;
    browser.until("/overledene").await;
    assert_fits(&browser).await;
    browser.fill("first_name", "Johanna").await;
    browser.fill("birth_day", "31").await;
    browser.fill("birth_month", "2").await;
    browser.fill("birth_year", "1938").await;
    browser.click(SEND).await;
    browser.says("31 februari bestaat niet in dat jaar.").await;
    assert_accessible(&browser).await;
    let focused = browser.ask("return document.activeElement.className").await;
    assert_eq!(focused, "errors", "the summary of the errors has the focus");
    browser.fill("birth_day", "12").await;
    browser.click(SEND).await;
    for (step, field, text) in [
        ("/tekst", "text", "Lieve mama,\n\nWat zullen we je missen."),
        ("/afscheid", "farewell_place", "De Nieuwe Ooster"),
        ("/contact", "email", "pieter@voorbeeld.nl"),
    ] {
        browser.until(step).await;
        assert_fits(&browser).await;
        browser.fill(field, text).await;
        if kind.width < 900 {
            look_at_the_card(&browser).await;
        }
        browser.click(SEND).await;
        wait_for("the next step", || async { (!browser.path().await.ends_with(step)).then_some(()) }).await;
        browser.back().await;
        browser.until(step).await;
        let value = format!("return document.getElementById('{field}').value");
        assert_eq!(browser.ask(&value).await, text, "{step} after going back");
        browser.type_into(&format!("#{field}"), if field == "email" { "" } else { "!" }).await;
        browser.click(SEND).await;
    }
    browser.until("/bestellen").await;
    assert_fits(&browser).await;
    browser.click(SEND).await;
    browser.says("Geef aan dat u akkoord gaat met de prijs").await;
    browser.click("#agree").await;
    browser.click(SEND).await;
    browser.until("/besteld").await;
    assert_fits(&browser).await;
    assert!(stage.online(&gid).await.contains("/kaart/"));

    browser.open(&link).await;
    browser.says("Nieuwe link aanvragen").await;
    assert!(browser.text().await.contains("Deze link is al gebruikt"), "a second time");
    assert_fits(&browser).await;
    browser.click("main a.button").await;
    browser.says("De kaart voor Johanna").await;
    assert_fits(&browser).await;
    browser.stop().await;
}

/// Opens the card on a telephone or a tablet, and goes back to what is filled in.
async fn look_at_the_card(browser: &Chromium) {
    let here = browser.path().await;
    browser.click(".look").await;
    if browser.runs_script {
        let shown =
            "const frame = document.querySelector('dialog[open] iframe'); return frame && frame.offsetHeight > 300;";
        assert_eq!(browser.ask(shown).await, true);
        assert_accessible(browser).await;
        browser.click("dialog button").await;
        assert_eq!(browser.ask("return document.querySelector('dialog[open]')").await, serde_json::Value::Null);
    } else {
        browser.until("/voorbeeld").await;
        browser.back().await;
        browser.until(&here).await;
    }
}

const TAB: char = '\u{E004}';
pub(super) const ENTER: char = '\u{E007}';

/// Presses Tab until this has the focus.
pub(super) async fn tab_to(browser: &Chromium, css: &str) {
    for _ in 0..60 {
        browser.key(TAB).await;
        let there = format!("return document.activeElement.matches({css:?})");
        if browser.ask(&there).await == true {
            let ring = browser.ask("return getComputedStyle(document.activeElement).outlineStyle").await;
            assert_ne!(ring, "none", "{css} shows that it has the focus");
            return;
        }
    }
    panic!("{css} cannot be reached by keyboard on {}", browser.path().await);
}

/// Types a text, wherever the focus is.
pub(super) async fn type_text(browser: &Chromium, text: &str) {
    for letter in text.chars() {
        browser.key(letter).await;
    }
}

#[test]
fn every_screen_leads_from_the_link_to_a_card_online() {
    // A usual telephone and a computer.
    for (width, letters) in [(390, LETTERS * 2), (1_280, LETTERS * 3 / 2)] {
        run_alone(Database::Sqlite, move |database| with_pointer(database, Kind { script: true, width }, letters));
    }
}

#[test]
fn family_without_script_goes_from_its_link_to_a_card_online() {
    // A small telephone and a tablet.
    for (width, letters) in [(320, LETTERS), (768, LETTERS * 2)] {
        run_alone(Database::Sqlite, move |database| with_pointer(database, Kind { script: false, width }, letters));
    }
}

on_sqlite! {
    /// The same way by keyboard alone.
    async fn keyboard_leads_from_the_link_to_a_card_online(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let gid = stage.card().await;
        let browser = Chromium::start(Kind { script: true, width: 1280 }).await;
        browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
        browser.until("/thema").await;
        tab_to(&browser, "a.skip").await;
        tab_to(&browser, "input[name=theme]").await;
        browser.key(' ').await;
        tab_to(&browser, "input[name=visibility]").await;
        browser.key(' ').await;
        for (step, field, text) in [
            ("/thema", None, ""),
            ("/overledene", Some("#last_name"), "van der Meer"),
            ("/tekst", Some("#text"), "Rust zacht."),
            ("/afscheid", Some("#farewell_place"), "De Nieuwe Ooster"),
            ("/contact", Some("#email"), "pieter@voorbeeld.nl"),
        ] {
            browser.until(step).await;
            if let Some(field) = field {
                tab_to(&browser, field).await;
                type_text(&browser, text).await;
            }
            tab_to(&browser, SEND).await;
            browser.key(ENTER).await;
        }
        browser.until("/bestellen").await;
        tab_to(&browser, "#agree").await;
        browser.key(' ').await;
        tab_to(&browser, SEND).await;
        browser.key(ENTER).await;
        browser.until("/besteld").await;
        assert!(stage.online(&gid).await.contains("/kaart/"));
        browser.stop().await;
    }
}

/// Counts the presses on all pages of a tab.
const COUNT_PRESSES: &str = "addEventListener('pointerdown', () => { sessionStorage.presses = 1 + Number(sessionStorage.presses ?? 0); }, true);";

on_sqlite! {
    /// The partner has sent the names, the dates and the family contact.
    async fn eleven_presses_lead_from_the_link_to_an_order(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let gid = stage.full_card(THEMES[0]).await;
        tamper(&database.url, "UPDATE cards SET theme_id = NULL").await;
        let browser = Chromium::start(Kind { script: true, width: 390 }).await;
        browser.before_pages(COUNT_PRESSES).await;
        browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
        browser.until("/thema").await;
        browser.click("#theme_1").await;
        browser.click("#visibility_0").await;
        for step in ["/overledene", "/tekst", "/afscheid", "/contact", "/bestellen"] {
            browser.click(SEND).await;
            browser.until(step).await;
            if step == "/overledene" {
                let photo = portrait(database.folder.path());
                browser.type_into("input[type=file]", photo.to_str().expect("a UTF-8 path")).await;
                browser.says("Tik op het gezicht").await;
            }
        }
        browser.click("#agree").await;
        browser.click(SEND).await;
        browser.until("/besteld").await;
        let counted = browser.ask("return Number(sessionStorage.presses)").await.as_u64().expect("a count");
        // Two more: the file field, and the choice of a photo on the telephone.
        let presses = counted + 2;
        println!("{presses} presses");
        assert!((9..=11).contains(&presses), "{presses} presses");
        browser.stop().await;
    }
}

/// The page of a browser without script runs none: otherwise the test above would show nothing.
#[test]
fn browser_without_script_runs_no_script() {
    run_alone(Database::Sqlite, |_| async {
        for (script, expected) in [(true, "aan"), (false, "uit")] {
            let browser = Chromium::start(Kind { script, width: 1280 }).await;
            browser.open("data:text/html,<p id=a>uit</p><script>a.textContent='aan'</script>").await;
            assert_eq!(browser.text().await, expected);
            browser.stop().await;
        }
    });
}
