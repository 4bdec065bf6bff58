//! Where the name of the deceased breaks into lines: on the card in each theme and layout, and on the small cards of the customizer.

use super::chromium::{Chromium, Kind};
use super::gallery::{THEMES, dressed, looks};
use super::stage::Stage;
use crate::app::{FreshDatabase, tamper};

/// First and last names; a line may end at a stroke only, as a person would break it.
const NAMES: [[&str; 2]; 6] = [
    ["Johanna ", "van der Meer-|de Wit"],
    ["Jan ", "van ''t Hof-|van der Heijden"],
    ["Anne-|Marie ", "de Jong"],
    ["Samira ", "El-Amrani-|de Vries"],
    ["Jo ", "op den Camp-|in ''t Veld"],
    ["Wilhelmina |Catharina ", "de Vries-|van den Berg"],
];

/// The lines of each element of a selector, by the boxes of its letters.
const LINES: &str = "
    return [...document.querySelectorAll('CSS')].map((name) => {
        const lines = [];
        const texts = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
        let middle = -Infinity;
        while (texts.nextNode()) {
            for (let index = 0; index < texts.currentNode.length; index += 1) {
                const letter = document.createRange();
                letter.setStart(texts.currentNode, index);
                letter.setEnd(texts.currentNode, index + 1);
                const [box] = letter.getClientRects();
                if (!box) continue;
                if (box.top > middle) lines.push('');
                middle = box.top + box.height / 2;
                lines.push(lines.pop() + letter);
            }
        }
        return lines;
    });";

/// Asserts that the lines of each element with a name end where they may.
async fn assert_lines(browser: &Chromium, css: &str, [first, last]: [&str; 2], place: &str) {
    let name = format!("{first}|{last}").replace("''", "'");
    let seen = browser.ask(&LINES.replace("CSS", css)).await;
    let elements = seen.as_array().expect("a list");
    assert!(!elements.is_empty(), "{place}");
    for lines in elements {
        let mut parts = name.split('|');
        for line in lines.as_array().expect("lines") {
            let (line, mut read) = (line.as_str().expect("a text").trim(), String::new());
            while read.trim_end() != line {
                read += parts.next().unwrap_or_else(|| panic!("{place}: {lines} breaks {name}"));
            }
        }
    }
}

on_sqlite! {
    async fn name_breaks_between_its_parts_in_each_look(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let gid = stage.full_card(THEMES[0]).await;
        let browser = Chromium::start(Kind { script: true, width: 320 }).await;
        browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
        for (number, (theme, layout)) in looks().enumerate() {
            for name in [NAMES[number % 6], NAMES[(number + number / 6 + 1) % 6]] {
                let [first, last] = name.map(|part| part.replace('|', ""));
                let named = format!("; UPDATE cards SET deceased_first_name = '{}', deceased_last_name = '{last}'", first.trim());
                tamper(&database.url, &(dressed(theme, layout) + &named)).await;
                browser.open(&format!("{}/voorbeeld", stage.customizer(&gid))).await;
                for width in [320, 360, 390, 1_280] {
                    browser.resize((width, 700)).await;
                    assert_lines(&browser, "h1", name, &format!("{theme} {layout} {width}")).await;
                }
            }
        }
        tamper(&database.url, "UPDATE cards SET deceased_first_name = 'Johanna', deceased_last_name = 'de Vries-de Wit'").await;
        browser.open(&format!("{}/thema", stage.customizer(&gid))).await;
        for width in [320, 390, 1_280] {
            browser.resize((width, 700)).await;
            assert_lines(&browser, ".mini .who", ["Johanna ", "de Vries-|de Wit"], &format!("thema {width}")).await;
        }
        browser.stop().await;
    }
}
