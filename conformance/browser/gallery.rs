//! Every page of the service, and the card in each theme and layout, narrow and wide, on paper too: for everybody (WCAG
//! 2.2 AA), and for a designer's eye.
//!
//! `BROWSER_PICTURES=<folder>` keeps a picture of each page, at two more widths; `bash .ci/gallery` makes a sheet of them.

use std::path::{Path, PathBuf};

use super::axe::assert_accessible;
use super::chromium::{Chromium, Kind, keep_picture};
use super::journey::SEND;
use super::stage::Stage;
use crate::app::{Database, FreshDatabase, run_alone, tamper, wait_for};

pub(super) const THEMES: [&str; 6] = ["linde", "zee", "avondrood", "winterlicht", "eenvoud", "tak"];
const LAYOUTS: [&str; 3] = ["PORTRAIT", "BESIDE", "TEXT"];
const NOTE: &str = "Lieve familie en vrienden,\n\nWe zouden het fijn vinden als jullie even op de kaart kijken. Dank voor alle lieve woorden.";
/// A text and a farewell, as families write them.
pub(super) const FAREWELL: &str = "UPDATE cards SET memorial_text = 'Lieve mama,\n\nWat zullen we je missen: je lach aan de \
    keukentafel, je verhalen over vroeger, en de appeltaart waar niemand het recept van kreeg.', farewell_date = '2026-11-14', \
    farewell_time = '11:00', farewell_place = 'De Nieuwe Ooster', farewell_address = 'Kruislaan 126, 1097 GA Amsterdam', \
    farewell_note = 'Liever geen bloemen. Na afloop is er gelegenheid om ons te condoleren.'";

/// One browser that opens all pages.
struct Walk {
    browser: Chromium,
    width: u32,
    count: usize,
}

impl Walk {
    async fn start(width: u32) -> Self {
        let browser = Chromium::start(Kind { script: true, width }).await;
        Self { browser, width, count: 0 }
    }

    /// Checks the current page, and stores its picture.
    async fn look(&mut self, name: &str) {
        assert_accessible(&self.browser).await;
        self.count += 1;
        keep_picture(&self.browser, &format!("{}-{:02}-{name}", self.width, self.count)).await;
    }

    async fn look_at(&mut self, url: &str, name: &str) {
        self.browser.open(url).await;
        self.look(name).await;
    }

    /// The customizer of an empty card, and its messages.
    async fn empty_card(&mut self, stage: &Stage) -> String {
        let gid = stage.card().await;
        self.look_at(&stage.link(&gid, "CUSTOMIZER").await, "wizard-thema").await;
        self.browser.click(SEND).await;
        self.browser.says("Kies een thema om verder te gaan.").await;
        self.look("wizard-thema-fout").await;
        let customizer = stage.customizer(&gid);
        for step in ["overledene", "tekst", "afscheid", "contact", "voorbeeld", "bestellen"] {
            self.look_at(&format!("{customizer}/{step}"), &format!("leeg-{step}")).await;
        }
        self.look_at(&stage.link(&gid, "INVITEE_LIST").await, "genodigden-concept").await;
        gid
    }

    /// A card with everything on it: each step, the preview in each theme and layout, the order.
    async fn whole_card(&mut self, stage: &Stage, database: &FreshDatabase, portrait: &Path) -> String {
        let gid = stage.full_card(THEMES[0]).await;
        self.browser.open(&stage.link(&gid, "CUSTOMIZER").await).await;
        let customizer = stage.customizer(&gid);
        upload(&self.browser, &customizer, portrait).await;
        tamper(&database.url, FAREWELL).await;
        for step in ["thema", "overledene", "tekst", "afscheid", "contact", "bestellen"] {
            self.look_at(&format!("{customizer}/{step}"), step).await;
        }
        for (theme, layout) in looks() {
            tamper(&database.url, &dressed(theme, layout)).await;
            self.look_at(&format!("{customizer}/voorbeeld"), &format!("voorbeeld-{theme}-{layout}")).await;
        }
        self.browser.open(&format!("{customizer}/bestellen")).await;
        self.browser.click(SEND).await;
        self.browser.says("Geef aan dat u akkoord gaat met de prijs").await;
        self.look("bestellen-fout").await;
        self.browser.click("#agree").await;
        self.browser.click(SEND).await;
        self.browser.until("/besteld").await;
        self.look("besteld").await;
        self.look_at(&customizer, "na-bestelling").await;
        gid
    }

    /// The card online, in each theme and layout, on paper, and for who was not invited.
    async fn public_card(&mut self, stage: &Stage, database: &FreshDatabase, gid: &str) {
        let url = stage.online(gid).await;
        for (theme, layout) in looks() {
            tamper(&database.url, &dressed(theme, layout)).await;
            self.look_at(&url, &format!("kaart-{theme}-{layout}")).await;
        }
        self.browser.media("print").await;
        self.look("kaart-op-papier").await;
        self.browser.media("screen").await;

        self.browser.open(&stage.link(gid, "INVITEE_LIST").await).await;
        // Both are collapsed at first.
        self.browser.ask("document.querySelectorAll('details').forEach((part) => part.open = true)").await;
        self.browser
            .fill("lijst", "Jan Jansen <jan@voorbeeld.nl>\nMaria de Boer, maria@voorbeeld.nl\nOom Kees, geen adres")
            .await;
        self.browser.click("form[action$='/plakken'] button").await;
        self.browser.says("Klopt deze lijst?").await;
        self.look("genodigden-nakijken").await;
        self.browser.click("form[action$='/overnemen'] button").await;
        self.browser.says("Jan Jansen").await;
        self.look("genodigden-geplakt").await;
        self.browser.ask("document.querySelectorAll('details').forEach((part) => part.open = true)").await;
        self.browser.fill("bericht", NOTE).await;
        self.browser.says("U kunt nog 381 tekens gebruiken.").await;
        self.look("genodigden-open").await;
        self.browser.click("form[action$='/bericht'] button").await;
        self.browser.says("Uw woorden zijn opgeslagen.").await;
        self.browser.open(&stage.link(gid, "INVITEE_LIST").await).await;
        self.look("genodigden").await;
        let personal = self.browser.ask("return document.querySelector('code[data-copy]').textContent").await;
        tamper(&database.url, "UPDATE cards SET visibility = 'INVITATION'").await;
        self.browser.delete_cookies().await;
        self.look_at(&url, "kaart-alleen-genodigden").await;
        self.look_at(personal.as_str().expect("a personal link"), "kaart-genodigde").await;
    }

    /// Pages of errors.
    async fn dead_ends(&mut self, stage: &Stage, gid: &str) {
        self.browser.open(&stage.link(gid, "CUSTOMIZER").await).await;
        self.browser.open(&format!("{}/tekst", stage.customizer(gid))).await;
        self.browser.fill("text", "Rust zacht.").await;
        self.browser.delete_cookies().await;
        self.browser.click(SEND).await;
        self.browser.says("is nog niet opgeslagen").await;
        self.look("invoer-na-verlopen-sessie").await;
        let link = stage.link(gid, "CUSTOMIZER").await;
        self.browser.open(&link).await;
        self.look_at(&link, "link-gebruikt-met-sessie").await;
        self.browser.delete_cookies().await;
        self.look_at(&link, "link-gebruikt").await;
        self.look_at(&stage.customizer(gid), "zonder-sessie").await;
        self.look_at(&stage.url("/s/onbekend"), "link-onbekend").await;
        self.look_at(&stage.url("/kaart/onbekend"), "kaart-onbekend").await;
        self.look_at(&stage.url("/kaart/voor/onbekend"), "persoonlijke-link-onbekend").await;
        self.look_at(&stage.url("/"), "begin").await;
        self.look_at(&stage.url("/nergens"), "pad-onbekend").await;
    }
}

pub(super) fn looks() -> impl Iterator<Item = (&'static str, &'static str)> {
    THEMES.into_iter().flat_map(|theme| LAYOUTS.into_iter().map(move |layout| (theme, layout)))
}

/// Sets the theme of every card in the database, because the customizer does not change the theme of an ordered card.
pub(super) fn dressed(theme: &str, layout: &str) -> String {
    format!("UPDATE cards SET layout = '{layout}', theme_id = (SELECT id FROM themes WHERE handle = '{theme}')")
}

/// A drawn portrait, sharp at every size.
pub(super) fn portrait(folder: &Path) -> PathBuf {
    let near = |x: u32, y: u32, at: (f32, f32), (a, b): (f32, f32)| {
        ((x as f32 - at.0) / a).powi(2) + ((y as f32 - at.1) / b).powi(2) < 1.0
    };
    let image = image::RgbImage::from_fn(900, 1_200, |x, y| {
        let shade = (y / 12) as u8;
        image::Rgb(match () {
            () if near(x, y, (450.0, 480.0), (190.0, 250.0)) => [222, 190 - shade / 4, 168 - shade / 4],
            () if near(x, y, (450.0, 400.0), (250.0, 290.0)) => [196, 196, 200],
            () if near(x, y, (450.0, 1_250.0), (430.0, 480.0)) => [86, 98, 128 - shade / 2],
            () => [150 + shade / 2, 168 + shade / 3, 160],
        })
    });
    let file = folder.join("portret.jpg");
    image.save(&file).expect("a picture can be written");
    file
}

/// Uploads a portrait in an open customizer.
pub(super) async fn upload(browser: &Chromium, customizer: &str, file: &Path) {
    browser.open(&format!("{customizer}/overledene")).await;
    browser.type_into("input[type=file]", file.to_str().expect("a UTF-8 path")).await;
    browser.says("Zo komt de foto op de kaart").await;
    browser.click(SEND).await;
    wait_for("the photo is saved", || async { (!browser.path().await.ends_with("/overledene")).then_some(()) }).await;
}

/// Walks at a width, and for pictures at `more` too.
fn walk(width: u32, more: u32) {
    walk_at(width);
    if std::env::var_os("BROWSER_PICTURES").is_some() {
        walk_at(more);
    }
}

fn walk_at(width: u32) {
    run_alone(Database::Sqlite, async move |database: FreshDatabase| {
        let stage = Stage::set(&database);
        let portrait = portrait(database.folder.path());
        let mut walk = Walk::start(width).await;
        let empty = walk.empty_card(&stage).await;
        let gid = walk.whole_card(&stage, &database, &portrait).await;
        walk.public_card(&stage, &database, &gid).await;
        walk.dead_ends(&stage, &empty).await;
        walk.browser.stop().await;
    });
}

#[test]
fn every_page_and_theme_is_for_everybody_on_a_telephone() {
    walk(320, 390);
}

#[test]
fn every_page_and_theme_is_for_everybody_on_a_wide_screen() {
    walk(1_280, 768);
}
