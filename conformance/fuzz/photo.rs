//! Photos: the first bytes decide the format, and any further bytes are decoded or refused.

use std::cell::Cell;

use card_service::media::PhotoFormat;
use proptest::collection::vec;
use proptest::prelude::*;

use super::seed::{changed, for_all};
use super::{seeds, wait};
use crate::app::family::{Browser, customizer};
use crate::app::picture::{bomb, photo, photo_with_position, size_of};
use crate::app::{Answer, TestApp};

const SEEDS: &[&[u8]] = &[
    b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf",
    b"\0\0\0\x01ftyp\0\0\0\0\0\0\0 heic",
    b"\0\0\0\x18ftypmif1\0\0\0\0hei",
    b"\0\0\0\x08ftyp",
    b"\0\0\0\0ftypheic\0\0\0\0",
    b"GIF89a/*\0\0\0\0*/=1;alert(1)",
    b"\xff\xd8\xff",
    b"RIFF\x1a\0\0\0WAVEfmt ",
    br#"<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>"#,
];

/// Returns the seeds, and valid photos of every format, including tiled and rotated ones.
fn photos() -> Vec<Vec<u8>> {
    let heic: [&[u8]; 4] = [
        include_bytes!("../data/heic/exif-only.heic"),
        include_bytes!("../data/heic/tiled-turned.heic"),
        include_bytes!("../data/heic/tiled.heic"),
        include_bytes!("../data/heic/turned.heic"),
    ];
    let made = ["jpeg", "png", "webp", "gif", "heic"].map(photo);
    let odd = [photo_with_position(), bomb()];
    seeds(SEEDS).into_iter().chain(seeds(&heic)).chain(made).chain(odd).collect()
}

#[test]
fn format_of_a_photo_depends_on_its_first_bytes_only() {
    let values = (prop_oneof![changed(photos()), vec(any::<u8>(), 0..64)], vec(any::<u8>(), 0..64));
    for_all(4_000, values, |(bytes, tail)| {
        let format = PhotoFormat::sniff(&bytes);
        if format.is_some() {
            assert_eq!(PhotoFormat::sniff(&[bytes, tail].concat()), format);
        }
    });
}

#[test]
fn format_of_a_valid_photo_is_recognised() {
    for (name, format) in ["jpeg", "png", "webp", "gif", "heic"].into_iter().zip([
        PhotoFormat::Jpeg,
        PhotoFormat::Png,
        PhotoFormat::Webp,
        PhotoFormat::Gif,
        PhotoFormat::Heic,
    ]) {
        assert_eq!(PhotoFormat::sniff(&photo(name)), Some(format));
        assert_eq!(format.extension(), name);
    }
}

on_both_databases! {
    async fn photo_of_any_bytes_is_shown_or_refused(app: TestApp) {
        let live = app.live().await;
        let gid = live.draft("1").await;
        let path = customizer(&gid, "overledene");
        let (refused, shown) = (Cell::new(0), Cell::new(0));
        let honest = (prop::sample::select(photos()), vec(any::<u8>(), 0..64)).prop_map(|(photo, tail)| [photo, tail].concat());
        let values = prop_oneof![3 => changed(photos()), 2 => honest, 1 => vec(any::<u8>(), 0..300)];
        for_all(60, values, |bytes| wait(async {
            // A session of its own, because each sends a few photos only.
            let mut browser = Browser::at_customizer(&live, &gid).await;
            let answer = browser.upload(&path, "photo", "foto", &bytes).await;
            if answer.status == 422 {
                refused.set(refused.get() + 1);
                return;
            }
            assert_eq!(answer.status, 303, "{}", answer.text());
            let Some(key) = app.row(&gid).await.deceased.photo else {
                assert!(bytes.is_empty(), "a photo that was taken is there");
                return;
            };
            let url = app.url(&format!("/media/photo/{}", key.as_str()));
            let kept = Answer::read(app.http().get(url).send().await.expect("the server answers")).await;
            let (width, height) = size_of(&kept.body);
            assert!(width > 0 && height > 0);
            shown.set(shown.get() + 1);
        }));
        assert!(refused.get() > 2 && shown.get() > 2, "{} refused, {} shown", refused.get(), shown.get());
    }
}
