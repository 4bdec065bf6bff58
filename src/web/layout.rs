//! The frame of every page: language, landmarks, the way past the header, style and script.

use maud::{DOCTYPE, Markup, html};

use super::asset::{PAGE_SCRIPT, PAGE_STYLE};
use super::site::Site;
use super::text;

/// A page of the service. `title` is what the tab says; the page's own `h1` stands in `main`.
pub(super) fn page(site: &Site, title: &str, main: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="nl" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " – " (text::SITE) }
                meta name="robots" content="noindex, nofollow";
                meta name="referrer" content="no-referrer";
                meta name="format-detection" content="telephone=no, date=no, address=no, email=no";
                meta name="color-scheme" content="light";
                meta name="theme-color" content="#f7f5f1";
                link rel="stylesheet" href=(PAGE_STYLE.address(site));
                script src=(PAGE_SCRIPT.address(site)) defer {}
            }
            body {
                a.skip href="#inhoud" { (text::SKIP) }
                header.site { p { (text::SITE) } }
                main #inhoud tabindex="-1" { (main) }
                footer.site { p { (text::FOOTER) } }
            }
        }
    }
}
