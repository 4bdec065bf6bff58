//! What a slow phone waits for before it shows a card, and whether anything moves after that.

use serde_json::json;

use super::chromium::{Chromium, Kind};
use super::gallery::{THEMES, dressed, portrait, upload};
use super::stage::Stage;
use crate::app::picture::flat_png;
use crate::app::{FreshDatabase, tamper};

/// The time of the first paint in milliseconds, the files that it waited for, and the layout shift (Web Vitals: CLS) once the fonts
/// are there.
const PAINT: &str = "
    const done = arguments[arguments.length - 1];
    let shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shift += entry.value; }))
        .observe({ type: 'layout-shift', buffered: true });
    document.fonts.ready.then(() => setTimeout(() => {
        const painted = performance.getEntriesByName('first-contentful-paint')[0];
        const loaded = [...document.fonts].filter((font) => font.status === 'loaded' && !font.family.includes('at first'));
        const files = performance.getEntriesByType('resource').filter((file) => file.renderBlockingStatus === 'blocking');
        done([painted.startTime, shift, loaded.length, files.map((file) => file.name)]);
    }, 500));";

/// The most that the parts of a card move, of a telephone and of a wide screen, on a slow line. Web Vitals calls 0.1 good.
const SHIFT_MAX: f64 = 0.05;

/// A photo that is wider than it is high.
fn wide(folder: &std::path::Path) -> std::path::PathBuf {
    let file = folder.join("breed.png");
    std::fs::write(&file, flat_png(1_500, 1_000)).expect("the file is written");
    file
}

on_sqlite! {
    async fn card_is_shown_without_another_file_and_stays_where_it_is(database: FreshDatabase) {
        let stage = Stage::set(&database);
        let gid = stage.full_card(THEMES[0]).await;
        let browser = Chromium::start(Kind { script: true, width: 390 }).await;
        browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
        browser.open(&format!("{}/bestellen", stage.customizer(&gid))).await;
        browser.click("#agree").await;
        browser.click("main form .actions button").await;
        browser.until("/besteld").await;
        let url = stage.online(&gid).await;
        let motion = "return getComputedStyle(document.querySelector('.sheet')).animationName";
        browser.open(&url).await;
        assert_eq!(browser.ask(motion).await, "none", "for who has asked for less motion");
        browser.allow_motion().await;
        assert_eq!(browser.ask(motion).await, "appear");
        browser.become_slow_phone().await;
        for theme in THEMES {
            tamper(&database.url, &dressed(theme, "PORTRAIT")).await;
            browser.open(&url).await;
            let measured = browser.ask_later(PAINT).await;
            let number = |index: usize| measured[index].as_f64().expect("a number");
            let (paint_ms, shift, fonts) = (number(0), number(1), number(2));
            println!("{theme}: first paint {paint_ms:.0} ms, shift {shift:.3}, {fonts} fonts");
            assert!(fonts == 2.0, "{theme} has its letters: {measured}");
            assert!(shift <= SHIFT_MAX, "{theme}: {measured}");
            assert_eq!(measured[3], json!([]), "{theme}: the first paint waits for the page alone");
        }
        browser.become_slow_line().await;
        let portrait = portrait(database.folder.path());
        for (photo, screen) in [(&portrait, (390, 664)), (&portrait, (1_280, 800)), (&wide(database.folder.path()), (390, 664))] {
            upload(&browser, &stage.customizer(&gid), photo).await;
            browser.resize(screen).await;
            browser.open(&url).await;
            let measured = browser.ask_later(PAINT).await;
            println!("{screen:?} on a slow line: {measured}");
            assert!(measured[1].as_f64().is_some_and(|shift| shift <= SHIFT_MAX), "{screen:?}: {measured}");
        }
        browser.stop().await;
    }
}
