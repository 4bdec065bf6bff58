//! The layout of every page except the card: language, landmarks, skip link, style and script.

use maud::{DOCTYPE, Markup, html};

use super::asset::{PAGE_SCRIPT, PAGE_STYLE};
use super::context::PageContext;
use super::text;

/// Makes a page behind a personal link. `title` is the title of the tab; `main` holds the `h1`.
pub(super) fn page(context: &PageContext, title: &str, main: Markup) -> Markup {
    document(context, title, main, Some(text::FOOTER))
}

/// Makes a page that everybody can open.
pub(super) fn public_page(context: &PageContext, title: &str, main: Markup) -> Markup {
    document(context, title, main, None)
}

fn document(context: &PageContext, title: &str, main: Markup, footer: Option<&str>) -> Markup {
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
                link rel="stylesheet" href=(PAGE_STYLE.address(context));
                script src=(PAGE_SCRIPT.address(context)) defer {}
            }
            body {
                a.skip href="#inhoud" { (text::SKIP) }
                header.site { p { (text::SITE) } }
                main #inhoud tabindex="-1" data-sending=(text::SENDING) data-unsent=(text::UNSENT) { (main) }
                @if let Some(footer) = footer { footer.site { p { (footer) } } }
            }
        }
    }
}
