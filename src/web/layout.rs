//! The layout of every page except the card: language, landmarks, skip link, style and script; and the footer of all pages.

use maud::{DOCTYPE, Markup, html};

use super::asset::{PAGE_SCRIPT, PAGE_STYLE};
use super::context::PageContext;
use super::text;
use crate::model::{Partner, path};

/// Makes a page behind a personal link. `title` is the title of the tab; `main` holds the `h1`.
pub(super) fn page(context: &PageContext, partner: &Partner, title: &str, main: Markup) -> Markup {
    let about = [text::FOOTER.to_owned(), text::retention(&context.services.policy.retention)].join(" ");
    document(context, Some(partner), title, main, footer(context, Some(partner), Some(about.trim_end())))
}

/// Makes a page that everybody can open, about a card of `partner` if that is known.
pub(super) fn public_page(context: &PageContext, partner: Option<&Partner>, title: &str, main: Markup) -> Markup {
    document(context, partner, title, main, footer(context, partner, None))
}

fn document(context: &PageContext, partner: Option<&Partner>, title: &str, main: Markup, footer: Markup) -> Markup {
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
                header.site {
                    p { (text::SITE) }
                    @if let Some(partner) = partner { p.by { (partner.shown_name()) } }
                }
                main #inhoud tabindex="-1" data-sending=(text::SENDING) data-unsent=(text::UNSENT) { (main) }
                footer.site { (footer) }
            }
        }
    }
}

/// What every footer holds: whom to call, the privacy statement and the page on accessibility.
pub(super) fn footer(context: &PageContext, partner: Option<&Partner>, about: Option<&str>) -> Markup {
    let digits = |phone: &str| phone.replace("(0)", "").replace(|c: char| c != '+' && !c.is_ascii_digit(), "");
    html! {
        @if let Some(partner) = partner {
            div.organisation {
                @if let Some(key) = &partner.logo {
                    img.logo src=(context.local(&context.services.logo_address(key))) alt="" loading="lazy";
                }
                p {
                    strong { (partner.shown_name()) }
                    @if partner.phone.is_some() || partner.email.is_some() { br; (text::HELP) }
                    @if let Some(phone) = &partner.phone { " " a href={ "tel:" (digits(phone)) } { (phone) } }
                    @if partner.phone.is_some() && partner.email.is_some() { " · " }
                    @if let Some(email) = &partner.email { " " a href={ "mailto:" (email) } { (email) } }
                }
            }
        }
        @if let Some(about) = about { p { (about) } }
        p.links {
            @if let Some(url) = partner.and_then(|partner| partner.privacy_url.as_ref()) {
                a href=(url.as_str()) rel="noopener noreferrer" { (text::PRIVACY) } " "
            }
            a href=(context.path(&path::accessibility())) { (text::ACCESSIBILITY) }
        }
    }
}
