//! Pages with large letters and enlarged pages: WCAG 2.2, 1.4.4 (letters of 200 %), 1.4.10 (a page of 1,280 pixels at 400 %), 1.4.12 (more
//! space between letters, words and lines) and 2.4.11 (what has the focus is not hidden).

use serde_json::json;

use super::chromium::{Chromium, Kind, LETTERS};
use super::gallery::{FAREWELL, THEMES, dressed, portrait, upload};
use super::stage::Stage;
use crate::app::{Database, FreshDatabase, run_alone, tamper};

/// The screens, in CSS pixels: a telephone, a computer, a computer with the page at 400 %, and a telephone with the page at 200 %. Larger
/// letters leave out the last, or the last two.
const SCREENS: [(u32, u32); 4] = [(390, 664), (1_280, 800), (320, 256), (195, 332)];

/// The least space that a reader may set (WCAG 2.2, 1.4.12), taken away again by an empty sheet.
const SPACE: &str = "
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }');
    document.adoptedStyleSheets = arguments.length ? [] : [sheet];";

/// What is wrong with the page: it scrolls sideways, words are wider than their button or label, the bar is higher than 4rem while it
/// is at the bottom of the screen, or something that has the focus is hidden.
const FAULTS: &str = "
    const root = document.documentElement;
    const faults = [];
    if (root.scrollWidth > root.clientWidth) {
        const wide = [...document.querySelectorAll('body *')].filter((part) => part.getBoundingClientRect().right > root.clientWidth + 1);
        faults.push(['sideways', root.scrollWidth - root.clientWidth, wide.slice(0, 3).map((part) => part.outerHTML.slice(0, 90))]);
    }
    const rem = parseFloat(getComputedStyle(root).fontSize);
    const isSeen = (part) => part.getClientRects().length > 0 && getComputedStyle(part).visibility === 'visible';
    for (const part of document.querySelectorAll('button, .button, label, legend, h1, h2, summary')) {
        if (isSeen(part) && part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== 'inline') faults.push(['clipped', part.outerHTML.slice(0, 90)]);
    }
    const bar = document.querySelector('.bar');
    const isIn = (part, around) => around && (around === part || around.contains(part));
    const parts = document.querySelectorAll('a[href], button, input:not([type=hidden]), textarea, summary');
    for (const part of [...parts].filter((part) => isSeen(part) && !part.disabled)) {
        part.focus();
        if (bar && !bar.contains(part)) {
            const isSticky = parseFloat(getComputedStyle(bar).bottom) >= 0 && getComputedStyle(bar).position === 'sticky';
            if (isSticky && bar.offsetHeight > 4 * rem + 2) faults.push(['bar', bar.offsetHeight / rem]);
        }
        const box = part.getClientRects()[0];
        const [left, right] = [Math.max(0, box.left), Math.min(root.clientWidth, box.right)];
        const [top, bottom] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
        const isHit = [[0.5, 0.5], [0.1, 0.2], [0.9, 0.8], [0.5, 0.1], [0.5, 0.9]].some(([x, y]) => {
            const hit = document.elementFromPoint(left + x * (right - left), top + y * (bottom - top));
            return hit && (isIn(hit, part) || isIn(part, hit.closest('label')) || [...(part.labels || [])].some((label) => isIn(hit, label)));
        });
        if (right <= left || bottom <= top || !isHit) faults.push(['hidden', part.outerHTML.slice(0, 90), box.top, box.bottom]);
    }
    return faults;";

/// Looks at the current page on every screen, and with more space.
async fn look(browser: &Chromium, letters: u32, what: &str, found: &mut Vec<String>) {
    for screen in SCREENS.into_iter().take(6 - (2 * letters / LETTERS) as usize) {
        browser.resize(screen).await;
        let mut seen = vec![browser.ask(FAULTS).await];
        if screen == SCREENS[0] {
            browser.ask(SPACE).await;
            seen.push(browser.ask(FAULTS).await);
        }
        found.extend(
            seen.into_iter()
                .filter(|faults| *faults != json!([]))
                .map(|faults| format!("{what} at {screen:?}, letters of {letters}: {faults}")),
        );
        if screen == SCREENS[0] {
            browser.ask(&SPACE.replace("arguments.length", "true")).await;
        }
    }
}

async fn every_page(database: FreshDatabase, letters: u32) {
    let stage = Stage::set(&database);
    let gid = stage.full_card(THEMES[0]).await;
    let browser = Chromium::start_with_letters(Kind { script: true, width: 1_280 }, letters).await;
    let size = browser.ask("return parseFloat(getComputedStyle(document.documentElement).fontSize)").await;
    assert_eq!(size, json!(letters), "the letters are those of the owner");
    browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
    let customizer = stage.customizer(&gid);
    upload(&browser, &customizer, &portrait(database.folder.path())).await;
    tamper(&database.url, FAREWELL).await;
    let mut found = Vec::new();
    for step in ["", "thema", "overledene", "tekst", "afscheid", "contact", "bestellen", "voorbeeld"] {
        browser.open(&format!("{customizer}/{step}")).await;
        browser.ask("document.querySelectorAll('details').forEach((part) => part.open = true)").await;
        look(&browser, letters, step, &mut found).await;
    }
    stage.operate(&["card", "order", &gid]);
    let url = stage.online(&gid).await;
    browser.open(&format!("{customizer}/besteld")).await;
    look(&browser, letters, "besteld", &mut found).await;
    tamper(&database.url, "UPDATE cards SET deceased_first_name = 'Wilhelmina Catharina', deceased_last_name = 'van Oldenbarnevelt-Schimmelpenninck'").await;
    for (theme, layout) in THEMES.into_iter().zip(["PORTRAIT", "BESIDE", "TEXT"].into_iter().cycle()) {
        tamper(&database.url, &dressed(theme, layout)).await;
        browser.open(&url).await;
        look(&browser, letters, &format!("card {theme} {layout}"), &mut found).await;
    }
    browser.open(&stage.link(&gid, "INVITEE_LIST").await).await;
    browser.ask("document.querySelectorAll('details').forEach((part) => part.open = true)").await;
    look(&browser, letters, "list", &mut found).await;
    browser.fill("lijst", "Jan Jansen <jan@voorbeeld.nl>\nMaria de Boer, maria@voorbeeld.nl").await;
    browser.click("form[action$='/plakken'] button").await;
    browser.says("Klopt deze lijst?").await;
    look(&browser, letters, "pasted list", &mut found).await;
    browser.open(&stage.url("/toegankelijkheid")).await;
    look(&browser, letters, "accessibility", &mut found).await;
    browser.stop().await;
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn page_is_for_everybody_at_every_size_of_letters_and_of_the_page() {
    for letters in [LETTERS, LETTERS * 3 / 2, LETTERS * 2] {
        run_alone(Database::Sqlite, move |database| every_page(database, letters));
    }
}
