//! The picture of a card that messengers show, and the tags by which they find it (decisions S13).

use std::collections::BTreeSet;

use card_service::model::Visibility;
use image::RgbImage;
use serde_json::json;

use super::card::{full, public_path};
use crate::app::family::path_of;
use crate::app::picture::noisy_png;
use crate::app::{Caller, TestApp};

/// The picture of a page, as a messenger finds it.
struct Preview {
    path: String,
    alt: String,
    image: RgbImage,
}

/// The area of the name, and the right margin of its sheet.
const NAME: [u32; 4] = [490, 260, 1_100, 560];
const MARGIN: [u32; 4] = [1_116, 250, 1_136, 600];
/// The part of the cover above the sheet.
const COVER: [u32; 4] = [0, 0, 1_200, 185];
/// The area of the portrait.
const PORTRAIT: [u32; 4] = [180, 300, 360, 520];

async fn preview(app: &TestApp, page: &str) -> Preview {
    let page = app.get(page).await;
    assert_eq!(page.status, 200);
    let page = page.text();
    assert!(page.contains("name=\"twitter:card\" content=\"summary_large_image\""), "{page}");
    let tag = |property: &str| {
        let start = format!("<meta property=\"{property}\" content=\"");
        let rest = page.split(&start).nth(1).unwrap_or_else(|| panic!("no {property}: {page}"));
        rest.split('"').next().expect("a value").to_owned()
    };
    assert_eq!(tag("og:image:type"), "image/jpeg");
    let path = path_of(&tag("og:image"));
    let picture = app.get(&path).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/jpeg")), "{path}");
    assert_eq!(picture.header("cache-control"), Some("public, max-age=3600"));
    assert!(picture.body.len() < 300_000, "{} bytes", picture.body.len());
    let image =
        image::load_from_memory_with_format(&picture.body, image::ImageFormat::Jpeg).expect("a JPEG").into_rgb8();
    assert_eq!(
        [tag("og:image:width"), tag("og:image:height")],
        [image.width(), image.height()].map(|side| side.to_string())
    );
    assert_eq!(image.dimensions(), (1_200, 630));
    if let Some(folder) = std::env::var_os("BROWSER_PICTURES") {
        let name = path.replace('/', "-");
        std::fs::write(std::path::Path::new(&folder).join(&name[1..]), &picture.body)
            .expect("a picture can be written");
    }
    Preview { path, alt: tag("og:image:alt"), image }
}

/// The share of an area that is drawn on: about 0 on an empty sheet.
fn ink(image: &RgbImage, area: [u32; 4]) -> f64 {
    unlike(image, area, 60)
}

/// The share of an area's pixels with a colour that differs from the first pixel by more than `least`.
fn unlike(image: &RgbImage, [left, top, right, bottom]: [u32; 4], least: u8) -> f64 {
    let ground = image.get_pixel(left, top).0;
    let unlike = |x, y| image.get_pixel(x, y).0.iter().zip(ground).any(|(a, b): (&u8, u8)| a.abs_diff(b) > least);
    let all = (left..right).flat_map(|x| (top..bottom).map(move |y| (x, y)));
    let count = all.filter(|(x, y)| unlike(*x, *y)).count();
    count as f64 / f64::from((right - left) * (bottom - top))
}

/// Stores a picture of a bundled theme under the name that it has in the themes of tests.
async fn store(app: &TestApp, theme: &str, file: &str, name: &str) {
    let drawing = std::fs::read(format!("themes/{theme}/{file}.svg")).expect("the theme has it");
    app.services().media.put(&format!("theme/{theme}/{name}.svg"), drawing.into()).await.expect("it is stored");
}

/// A card that is online, and the path of its page.
async fn online(live: &Caller, dossier: &str, theme: &str, deceased: serde_json::Value) -> (String, String) {
    let gid = full(live, dossier, theme).await;
    live.update(&gid, json!({ "deceased": deceased })).await.gid();
    live.app.online(&gid).await;
    let path = public_path(live, &gid).await;
    (gid, path)
}

on_sqlite! {
    async fn picture_shows_theme_and_name_of_an_open_card(app: TestApp) {
        let live = app.live().await;
        let mut paths = BTreeSet::new();
        for theme in ["linde", "zee", "winterlicht", "avondrood", "eenvoud", "tak", "eigen"] {
            if theme != "eigen" {
                store(&app, theme, "omslag", "voor").await;
                store(&app, theme, "detail", "achter").await;
            }
            let (_, page) = online(&live, theme, theme, json!({})).await;
            let shown = preview(&app, &page).await;
            assert_eq!(unlike(&shown.image, COVER, 15) > 0.005, theme != "eigen", "{theme}");
            assert_eq!(shown.alt, "In herinnering aan Johanna van der Meer");
            assert!(ink(&shown.image, NAME) > 0.01, "{theme}");
            assert!(theme == "eigen" || ink(&shown.image, MARGIN) < 0.01, "{theme}");
            paths.insert(shown.path);
        }
        assert_eq!(paths.len(), 7);
    }

    async fn picture_of_a_name_in_any_script_and_of_any_length_keeps_its_margin(app: TestApp) {
        let live = app.live().await;
        store(&app, "zee", "detail", "achter").await;
        let (_, unnamed) = online(&live, "none", "zee", json!({ "firstName": "王芳", "lastName": null })).await;
        let unnamed = ink(&preview(&app, &unnamed).await.image, NAME);
        for (dossier, first) in [
            ("arabic", "فاطمة الزهراء".to_owned()),
            ("hebrew", "שרה בת אברהם".to_owned()),
            ("greek", "Ελένη".to_owned()),
            ("emoji", "Jo 👵🏽❤️‍🔥".to_owned()),
            ("long", "Wilhelmina Catharina Elisabeth Anna Maria van Oldenbarnevelt-Schimmelpenninck".to_owned()),
            ("word", "W".repeat(255)),
            ("evil", "</text><script>&\"'".to_owned()),
        ] {
            let (_, page) = online(&live, dossier, "zee", json!({ "firstName": first, "lastName": null })).await;
            let image = preview(&app, &page).await.image;
            let found = ink(&image, NAME);
            assert!(found > 0.005 && (found - unnamed).abs() > 0.000_1, "{dossier}: {found}, {unnamed}");
            assert!(ink(&image, MARGIN) < 0.01, "{dossier}");
        }
    }
}

on_both_databases! {
    async fn picture_changes_with_the_card_and_its_earlier_address_leads_to_it(app: TestApp) {
        let live = app.live().await;
        let (gid, page) = online(&live, "oma", "zee", json!({})).await;
        let before = preview(&app, &page).await;
        let photo_url = app.mock_server().photo("/oma", "image/png", noisy_png(400));
        live.update(&gid, json!({ "deceased": { "photoUrl": photo_url } })).await.gid();
        let after = preview(&app, &page).await;
        assert_ne!(after.path, before.path);
        assert!(ink(&after.image, PORTRAIT) > 0.5, "the photo is noise");
        let moved = app.get(&before.path).await;
        assert_eq!((moved.status, moved.header("location")), (303, Some(after.path.as_str())));
        // It is drawn once, and stays when its portrait is deleted.
        let key = app.row(&gid).await.deceased.photo.expect("a photo");
        let rendition = card_service::model::Rendition::Screen.key_of(&key);
        app.services().media.delete(&format!("rendition/{rendition}")).await.expect("the object store answers");
        assert!(preview(&app, &page).await.image == after.image);
    }

    async fn picture_of_a_card_by_invitation_is_the_cover_of_its_theme(app: TestApp) {
        let live = app.live().await;
        let mut names = BTreeSet::new();
        for dossier in ["1", "2"] {
            let photo_url = app.mock_server().photo("/oma", "image/png", noisy_png(400));
            let (gid, page) = online(&live, dossier, "zee", json!({ "firstName": dossier, "photoUrl": photo_url })).await;
            let open = preview(&app, &page).await;
            app.set_visibility(&gid, Visibility::Invitation).await;
            let closed = preview(&app, &page).await;
            assert_eq!(closed.alt, "Een gedenkkaart");
            assert!(ink(&closed.image, PORTRAIT) < 0.5, "no photo");
            assert_eq!(app.get(&open.path).await.status, 303, "the open one is gone");
            names.insert(closed.path.rsplit('/').next().expect("a name").to_owned());
        }
        assert_eq!(names.len(), 1, "the picture holds nothing of the card");
    }

    async fn picture_exists_while_the_card_is_online(app: TestApp) {
        let live = app.live().await;
        let (gid, page) = online(&live, "1", "zee", json!({})).await;
        let shown = preview(&app, &page).await;
        for unknown in [format!("{page}/a.png"), format!("{page}/a/b"), "/kaart/onbekend/a.jpg".to_owned()] {
            assert_eq!(app.get(&unknown).await.status, 404, "{unknown}");
        }
        card_service::operation::card::take_offline(app.services(), crate::app::card_id(&gid)).await.expect("it is online");
        assert_eq!(app.get(&shown.path).await.status, 404);
    }

    async fn many_cards_at_once_get_their_pictures(app: TestApp) {
        let live = app.live().await;
        let mut pages = Vec::new();
        for number in 0..8 {
            pages.push(online(&live, &number.to_string(), "zee", json!({ "firstName": format!("Nummer {number}") })).await.1);
        }
        let shown = futures_util::future::join_all(pages.iter().map(|page| preview(&app, page))).await;
        assert_eq!(shown.iter().map(|shown| &shown.path).collect::<BTreeSet<_>>().len(), 8);
    }
}
