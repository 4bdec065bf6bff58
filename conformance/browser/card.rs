//! The card on each screen and on paper: its first screen, the order of its parts, the crop of its portrait, and text from right to left.

use serde_json::json;

use super::axe::{assert_accessible, assert_in_landmarks};
use super::chromium::{Chromium, Kind};
use super::gallery::{FAREWELL, THEMES, dressed, looks, portrait, upload};
use super::journey::SEND;
use super::stage::Stage;
use crate::app::picture::flat_png;
use crate::app::{FreshDatabase, tamper};

const TEXT: &str =
    "\u{623}\u{62d}\u{628}\u{643} \u{64a}\u{627} \u{623}\u{645}\u{64a}.\nWij zullen haar missen.\n\nTot ziens.";
/// The screens of laptops, a tablet and two telephones, without the bars of the browser, in CSS pixels.
const SCREENS: [(u32, u32); 7] =
    [(1_280, 800), (1_366, 768), (1_440, 900), (1_920, 1_080), (768, 1_024), (390, 664), (320, 568)];

/// The bottom of the name as a part of the screen, and the weights of text that the theme has no letters for.
const FIRST_SCREEN: &str = "
    const faces = [...document.fonts].map((face) => [face.family.replaceAll('\"', ''), face.weight].join());
    const missing = [...document.querySelectorAll('body *')].filter((part) => part.innerText).map((part) => {
        const { fontFamily, fontWeight } = getComputedStyle(part);
        return [fontFamily.split(',')[0].replaceAll('\"', ''), fontWeight].join();
    }).filter((face) => !faces.includes(face));
    const name = document.querySelector('h1').getBoundingClientRect();
    return [Math.ceil(name.bottom), name.bottom + scrollY <= innerHeight && name.right <= innerWidth, [...new Set(missing)]];";

/// The computed colours of the page, its sheet, and its texts: dark on white on paper, also of a theme that is dark on a screen.
const COLOURS: &str = "
    const of = (css, property) => getComputedStyle(document.querySelector(css))[property];
    return [of('html', 'colorScheme'), of('body', 'backgroundColor'), of('.sheet', 'backgroundColor'),
            of('body', 'color'), of('h1', 'color'), of('.lead', 'color'), of('.dates', 'color')];";

/// Whether the title is above the picture, and the vertical position of its crop.
const PARTS: &str = "
    const [title, picture] = ['h1', '.portrait img'].map((css) => document.querySelector(css));
    const isAbove = title.getBoundingClientRect().bottom < picture.getBoundingClientRect().top;
    return [isAbove, getComputedStyle(picture).objectPosition];";

/// The side of the text at which each line begins.
const SIDES: &str = "
    const sides = [];
    for (const paragraph of document.querySelectorAll('.words p')) {
        const around = paragraph.getBoundingClientRect();
        for (const node of paragraph.childNodes) {
            if (node.nodeType !== Node.TEXT_NODE) continue;
            const range = document.createRange();
            range.selectNodeContents(node);
            const line = range.getBoundingClientRect();
            sides.push(around.right - line.right < line.left - around.left ? 'right' : 'left');
        }
    }
    return sides;";

on_sqlite! {
    async fn text_layout_has_the_text_above_a_portrait_with_its_head(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let gid = stage.full_card(THEMES[0]).await;
        let browser = Chromium::start(Kind { script: true, width: 390 }).await;
        browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
        let preview = format!("{}/voorbeeld", stage.customizer(&gid));
        upload(&browser, &stage.customizer(&gid), &portrait(database.folder.path())).await;
        for (layout, expected) in [("PORTRAIT", json!([false, "50% 50%"])), ("TEXT", json!([true, "50% 0%"]))] {
            tamper(&database.url, &dressed(THEMES[0], layout)).await;
            browser.open(&preview).await;
            assert_eq!(browser.ask(PARTS).await, expected, "{layout}");
            assert_accessible(&browser).await;
        }
        // A press on the bottom of the photo chooses that point, which is then in the middle of the circle.
        browser.open(&format!("{}/overledene", stage.customizer(&gid))).await;
        assert_accessible(&browser).await;
        browser.click(".focal label:nth-child(8)").await;
        let chosen = "return [document.querySelector('.focal :checked').value, document.querySelector('.focal .face').style.objectPosition]";
        assert_eq!(browser.ask(chosen).await, json!(["5,8", "50% 100%"]));
        browser.click(SEND).await;
        browser.until("/tekst").await;
        browser.open(&preview).await;
        assert_eq!(browser.ask(PARTS).await, json!([true, "50% 100%"]));
        browser.open(&format!("{}/bestellen", stage.customizer(&gid))).await;
        assert_accessible(&browser).await;
        let sideways = "return document.documentElement.scrollWidth > document.documentElement.clientWidth";
        assert_eq!(browser.ask(sideways).await, false);
        browser.stop().await;
    }

    async fn name_is_on_the_first_screen_and_the_card_on_one_sheet_of_paper(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let gid = stage.full_card(THEMES[0]).await;
        let browser = Chromium::start(Kind { script: true, width: 1_280 }).await;
        browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
        let wide = database.folder.path().join("breed.png");
        std::fs::write(&wide, flat_png(1_500, 1_000)).expect("the file is written");
        stage.operate(&["card", "order", &gid]);
        let url = stage.online(&gid).await;
        tamper(&database.url, FAREWELL).await;
        // Each photo in half of the looks, which are all themes and all layouts.
        for (half, photo) in [&portrait(database.folder.path()), &wide].into_iter().enumerate() {
            upload(&browser, &stage.customizer(&gid), photo).await;
            for (theme, layout) in looks().skip(half).step_by(2) {
                tamper(&database.url, &dressed(theme, layout)).await;
                browser.open(&url).await;
                for screen in SCREENS {
                    browser.resize(screen).await;
                    let seen = browser.ask(FIRST_SCREEN).await;
                    println!("{theme} {layout} {screen:?}: name to {}", seen[0]);
                    assert_eq!([&seen[1], &seen[2]], [&json!(true), &json!([])], "{theme} {layout} {screen:?} {}", seen[0]);
                }
                assert_eq!(browser.count_printed_pages().await, 1, "{theme} {layout} {}", photo.display());
                browser.media("print").await;
                let (white, ink, soft) = ("rgb(255, 255, 255)", "rgb(28, 28, 28)", "rgb(74, 74, 74)");
                let expected = json!(["light", white, white, ink, ink, soft, soft]);
                assert_eq!(browser.ask(COLOURS).await, expected, "{theme} {layout} on paper");
                browser.media("").await;
            }
        }
        browser.stop().await;
    }

    async fn lines_from_right_to_left_begin_at_the_right(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let gid = stage.full_card(THEMES[0]).await;
        let browser = Chromium::start(Kind { script: true, width: 320 }).await;
        browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
        for layout in ["PORTRAIT", "BESIDE", "TEXT"] {
            tamper(&database.url, &dressed(THEMES[0], layout)).await;
            // Long enough to be set from the side.
            let text = format!("{TEXT}\n\n{}", "Rust zacht. ".repeat(25));
            tamper(&database.url, &format!("UPDATE cards SET memorial_text = '{text}'")).await;
            browser.open(&format!("{}/voorbeeld", stage.customizer(&gid))).await;
            assert_eq!(browser.ask(SIDES).await, json!(["right", "left", "left", "left"]), "{layout}");
        }
        browser.stop().await;
    }

    async fn public_card_is_in_landmarks_and_its_first_line_is_one(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let browser = Chromium::start(Kind { script: true, width: 320 }).await;
        let gid = stage.full_card(THEMES[0]).await;
        stage.operate(&["card", "order", &gid]);
        let url = stage.online(&gid).await;
        for theme in THEMES {
            tamper(&database.url, &dressed(theme, "PORTRAIT")).await;
            browser.open(&url).await;
            assert_in_landmarks(&browser).await;
            assert_accessible(&browser).await;
            let lines = "
                const lead = document.querySelector('.lead');
                return Math.round(lead.clientHeight / parseFloat(getComputedStyle(lead).lineHeight));";
            assert_eq!(browser.ask(lines).await, 1, "{theme}");
        }
        browser.stop().await;
    }
}
