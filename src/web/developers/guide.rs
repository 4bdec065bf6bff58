//! The guide for partners, from the Markdown files of `docs/`, which the repository shows too.
//!
//! The files are written for one version; each version's pages have its own name in the addresses and bodies they show.

use dated_graphql_docs::{Drawing, Guide, Sample};

/// The version that the files name.
const WRITTEN_FOR: &str = "2026-10";
/// The texts before and after that name where it means the version of the page.
const OF_THE_VERSION: [(&str, &str); 3] = [("/partner/api/", "/"), ("/docs/", "/"), ("\"apiVersion\":\"", "\"")];
/// The folders of the files that a link leads to: the site has all pages of a version in one.
const FOLDERS: [&str; 2] = ["../", "partner/"];

macro_rules! page {
    ($name:literal, $folder:literal, [$($sample:literal),*]) => {
        ($name, text!($folder, $name, ".md"), &[$(($sample, text!($folder, $sample))),*])
    };
}

macro_rules! text {
    ($($part:literal),*) => { include_str!(concat!("../../../docs/", $($part),*)) };
}

/// A page: its name, its text, and the path and the text of each sample.
type Page = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// In the order in which a partner needs them.
const PAGES: [Page; 9] = [
    page!(
        "first-card",
        "partner/",
        [
            "first-card/first_card.mjs",
            "first-card/first_card.py",
            "first-card/first_card.php",
            "first-card/FirstCard.cs",
            "first-card/FirstCard.java"
        ]
    ),
    page!(
        "changing",
        "partner/",
        ["changing/change_card.mjs", "changing/change_card.py", "changing/change_card.php", "changing/ChangeCard.java"]
    ),
    page!("sessions", "partner/", []),
    page!(
        "webhooks",
        "",
        [
            "webhooks/receiver.mjs",
            "webhooks/receiver.py",
            "webhooks/receiver.php",
            "webhooks/Receiver.cs",
            "webhooks/Receiver.java"
        ]
    ),
    page!("errors", "partner/", []),
    page!("idempotency", "partner/", []),
    page!("limits", "partner/", []),
    page!("going-live", "partner/", []),
    page!("versions", "partner/", []),
];

/// The page of webhooks.
pub(super) const WEBHOOKS: &str = text!("webhooks.md");

/// The drawings, which `conformance/guide/drawing.rs` writes. Each is on the page that has its path.
const DRAWINGS: [Drawing; 4] = [
    Drawing { path: "drawing/card.svg", svg: text!("partner/drawing/card.svg") },
    Drawing { path: "drawing/repeat.svg", svg: text!("partner/drawing/repeat.svg") },
    Drawing { path: "drawing/delivery.svg", svg: text!("partner/drawing/delivery.svg") },
    Drawing { path: "drawing/version.svg", svg: text!("partner/drawing/version.svg") },
];

/// Returns the guide of a version.
pub(super) fn guide(version: &str) -> Vec<Guide> {
    // A text with the name of the version where it means the version.
    let of_version = |text: &str| {
        OF_THE_VERSION.iter().fold(text.to_owned(), |text, (before, after)| {
            text.replace(&[before, WRITTEN_FOR, after].concat(), &[before, version, after].concat())
        })
    };
    let pages = PAGES.iter().map(|&(name, text, samples)| Guide {
        name,
        text: FOLDERS.iter().fold(of_version(text), |text, folder| text.replace(&format!("]({folder}"), "](")),
        samples: samples.iter().map(|&(path, text)| Sample { path, text: of_version(text) }).collect(),
        drawings: DRAWINGS.to_vec(),
    });
    pages.collect()
}
