//! HEIC photos of encoders that are not ours, as telephones send them (specification, section 2.11; decisions, section 7).
//!
//! How they were made: `conformance/data/heic/README.md`.

use card_service::model::{PhotoKey, Rendition};
use image::{ImageFormat, RgbImage};

use crate::app::family::{Browser, customizer, path_of};
use crate::app::{Answer, TestApp, wait_for};

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/data/heic");

/// Each sample, its size upright, and its corners: above, and below.
const PICTURES: [(&str, (u32, u32), [&str; 4]); 5] = [
    ("plain", (160, 112), ["red", "blue", "green", "yellow"]),
    ("exif-only", (160, 112), ["red", "blue", "green", "yellow"]),
    ("tiled", (160, 112), ["red", "blue", "green", "yellow"]),
    ("tiled-turned", (112, 160), ["green", "red", "yellow", "blue"]),
    ("turned", (112, 160), ["blue", "yellow", "red", "green"]),
];

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{SAMPLES}/{name}.heic")).expect("a sample")
}

/// The name of a colour of the samples, by which channels are high.
fn colour(picture: &RgbImage, x: u32, y: u32) -> &'static str {
    match picture.get_pixel(x, y).0.map(|channel| channel > 120) {
        [true, false, false] => "red",
        [false, true, false] => "green",
        [false, false, true] => "blue",
        [true, true, false] => "yellow",
        _ => "another colour",
    }
}

/// Asserts that a JPEG shows the sample upright, and holds nothing but the picture.
#[track_caller]
fn assert_upright(jpeg: &[u8], name: &str, size: (u32, u32), corners: [&str; 4]) {
    let picture = image::load_from_memory_with_format(jpeg, ImageFormat::Jpeg).expect("a JPEG").into_rgb8();
    assert_eq!(picture.dimensions(), size, "{name}");
    let (right, below) = (size.0 * 3 / 4, size.1 * 3 / 4);
    let (left, above) = (size.0 / 4, size.1 / 4);
    let seen = [(left, above), (right, above), (left, below), (right, below)].map(|(x, y)| colour(&picture, x, y));
    assert_eq!(seen, corners, "{name}");
    for trace in [&b"Exif"[..], b"Telefoon", b"\xFF\xE1"] {
        assert!(!jpeg.windows(trace.len()).any(|bytes| bytes == trace), "{name}: {trace:?} is left");
    }
}

async fn rendition(app: &TestApp, kind: Rendition, key: &PhotoKey) -> Answer {
    let path = path_of(app.services().rendition_address(kind, key).as_str());
    wait_for(&path, || async { Some(app.get(&path).await).filter(|answer| answer.status == 200) }).await
}

on_both_databases! {
    async fn heic_of_another_encoder_that_a_family_sends_is_shown_upright(app: TestApp) {
        let live = app.live().await;
        for (name, size, corners) in PICTURES {
            let gid = live.draft(name).await;
            let mut browser = Browser::at_customizer(&live, &gid).await;
            let saved = browser.upload(&customizer(&gid, "overledene"), "photo", "IMG_0142.HEIC", &sample(name)).await;
            assert_eq!(saved.status, 303, "{name}: {}", saved.text());
            let key = app.row(&gid).await.deceased.photo.expect("a photo");
            let own = live.card(&gid).await["deceased"]["photoUrl"].as_str().expect("an address").to_owned();
            assert_upright(&app.get(&path_of(&own)).await.body, name, size, corners);
            for kind in [Rendition::Screen, Rendition::Phone, Rendition::Preview] {
                assert_upright(&rendition(&app, kind, &key).await.body, name, size, corners);
            }
        }
    }
}
