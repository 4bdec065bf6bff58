//! The page of a card. Names, dates, portrait and text may each be missing; long names and whatever else a family
//! writes must hold.

use maud::{DOCTYPE, Markup, html};

use super::CardView;
use super::view::Picture;
use crate::model::{Layout, Visibility};
use crate::web::asset::CARD_STYLE;
use crate::web::date;
use crate::web::site::Site;
use crate::web::text::{self, card as words};

/// From this many characters on, a name is set smaller, so that it does not fill the screen of a telephone.
const LONG_NAME_CHARS: usize = 40;
/// Up to this many characters, a text in one paragraph is a line in the middle, and not a column.
const SHORT_TEXT_CHARS: usize = 140;

/// What stands around the card.
#[derive(Default)]
pub(in crate::web) struct Frame {
    /// The address that a link preview names: of the public page alone.
    pub address: Option<String>,
    /// Above the card, such as that it is a preview.
    pub notice: Option<Markup>,
    /// What a browser asks for once it shows the page.
    pub seen: Option<String>,
}

/// The whole page of a card.
pub(in crate::web) fn render(site: &Site, view: &CardView, frame: &Frame) -> Markup {
    let layout = match view.layout {
        Layout::Portrait => "layout-portrait",
        Layout::Beside => "layout-beside",
        Layout::Text => "layout-text",
    };
    let is_coverless = view.cover.is_none();
    document(
        site,
        view,
        frame,
        layout,
        is_coverless,
        html! {
            article.sheet {
                (portrait(view))
                div.story {
                    @if view.name.is_some() { p.lead { (words::IN_MEMORY_OF) } }
                    (name(view))
                    (dates(view))
                    @if view.text.is_some() || view.livestream.is_some() { hr.rule; }
                    (story(view.text.as_deref()))
                    @if let Some(address) = &view.livestream {
                        p.broadcast { a.button href=(address) rel="noopener noreferrer" { (words::BROADCAST) } }
                    }
                }
            }
        },
    )
}

/// What somebody sees who may not see the card: nothing of it but its theme.
pub(super) fn closed(site: &Site, view: &CardView, address: String) -> Markup {
    let bare = CardView {
        name: None,
        date_of_birth: None,
        date_of_death: None,
        portrait: None,
        preview: None,
        text: None,
        livestream: None,
        ..view.clone()
    };
    let frame = Frame { address: Some(address), ..Frame::default() };
    document(
        site,
        &bare,
        &frame,
        "closed",
        bare.cover.is_none(),
        html! {
            article.sheet {
                h1 { (words::CLOSED_TITLE) }
                p { (words::CLOSED) }
            }
        },
    )
}

fn document(site: &Site, view: &CardView, frame: &Frame, layout: &str, coverless: bool, sheet: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="nl" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                (titles(view, frame))
                meta name="robots" content="noindex, nofollow";
                meta name="referrer" content="no-referrer";
                meta name="format-detection" content="telephone=no, date=no, address=no, email=no";
                meta name="color-scheme" content=(view.look.scheme);
                meta name="theme-color" content=(view.look.frame);
                link rel="stylesheet" href=(CARD_STYLE.address(site));
                @if let Some(style) = view.look.style { link rel="stylesheet" href=(style.address(site)); }
            }
            body.(layout).coverless[coverless] {
                a.skip href="#inhoud" { (text::SKIP) }
                @if let Some(notice) = &frame.notice { div.notice role="note" { (notice) } }
                @if let Some(cover) = &view.cover {
                    div.cover { img src=(cover.address) alt=(cover.alt) width="1200" height="800"; }
                }
                main #inhoud tabindex="-1" { (sheet) }
                @if frame.notice.is_none() {
                    footer.card-foot { p { (words::FOOTER) } }
                }
                @if let Some(address) = &frame.seen { img src=(address) alt="" width="1" height="1" hidden; }
            }
        }
    }
}

/// The title of the tab, and what a message shows of a link that somebody sends on (the Open Graph protocol). A card by
/// invitation tells neither: the link may be sent to anybody, and its preview is made by machines of others.
fn titles(view: &CardView, frame: &Frame) -> Markup {
    let named = view.name.as_deref().filter(|_| view.visibility == Visibility::Open);
    let title = named.map_or_else(|| words::PREVIEW_TITLE.to_owned(), words::in_memory_of);
    let description = match named {
        Some(_) => lifetime(view).unwrap_or_else(|| words::PREVIEW_OPEN.to_owned()),
        None if view.visibility == Visibility::Open => words::PREVIEW_OPEN.to_owned(),
        None => words::PREVIEW_CLOSED.to_owned(),
    };
    html! {
        title { (title) }
        @if let Some(address) = &frame.address {
            meta property="og:type" content="website";
            meta property="og:locale" content="nl_NL";
            meta property="og:site_name" content=(text::SITE);
            meta property="og:title" content=(title);
            meta property="og:description" content=(description);
            meta property="og:url" content=(address);
            @if let (Some(picture), Visibility::Open) = (&view.preview, view.visibility) {
                meta property="og:image" content=(picture);
                meta property="og:image:type" content="image/jpeg";
                meta property="og:image:alt" content=(words::portrait_of(named));
            }
            meta name="twitter:card" content="summary";
        }
    }
}

fn name(view: &CardView) -> Markup {
    let name = view.name.as_deref().unwrap_or(words::UNNAMED);
    let is_long = name.chars().count() > LONG_NAME_CHARS;
    // Names come in every language and direction: the page around them stays as it is.
    html! { h1.long[is_long] dir="auto" { (name) } }
}

fn dates(view: &CardView) -> Markup {
    let moment = |date: chrono::NaiveDate| html! { time datetime=(date.to_string()) { (date::in_full(date)) } };
    html! {
        @match (view.date_of_birth, view.date_of_death) {
            (Some(birth), Some(death)) => p.dates {
                span.aside { (words::BORN) } (moment(birth)) " – " span.aside { (words::DIED) } (moment(death))
            },
            (Some(birth), None) => p.dates { (words::BORN) (moment(birth)) },
            (None, Some(death)) => p.dates { (words::DIED) (moment(death)) },
            (None, None) => {}
        }
    }
}

/// The dates as one line of text.
fn lifetime(view: &CardView) -> Option<String> {
    match (view.date_of_birth, view.date_of_death) {
        (Some(birth), Some(death)) => Some(format!("{} – {}", date::in_full(birth), date::in_full(death))),
        (Some(birth), None) => Some(format!("{}{}", words::BORN, date::in_full(birth))),
        (None, Some(death)) => Some(format!("{}{}", words::DIED, date::in_full(death))),
        (None, None) => None,
    }
}

fn portrait(view: &CardView) -> Markup {
    let image = |picture: &Picture| {
        let (width, height) = picture.size.map_or((None, None), |size| (Some(size.width), Some(size.height)));
        html! { img src=(picture.address) alt=(picture.alt) width=[width] height=[height]; }
    };
    html! {
        @match (&view.portrait, &view.ornament) {
            (Some(portrait), _) => figure.portrait { (image(portrait)) },
            // It is there to be looked at: what it shows is told by the cover.
            (None, Some(ornament)) => figure.portrait.ornament { img src=(ornament.address) alt="" width="800" height="800"; },
            (None, None) => {}
        }
    }
}

/// The family's words: an empty line parts paragraphs, a line break stays one.
fn story(text: Option<&str>) -> Markup {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return html! {} };
    let paragraphs = paragraphs(text);
    let is_short = paragraphs.len() == 1 && text.chars().count() <= SHORT_TEXT_CHARS;
    html! {
        div.words.short[is_short] dir="auto" {
            @for lines in paragraphs {
                p { @for (index, line) in lines.iter().enumerate() { @if index > 0 { br; } (line) } }
            }
        }
    }
}

fn paragraphs(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().map(str::trim_end).collect::<Vec<_>>();
    lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty()).map(<[&str]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::paragraphs;

    #[test]
    fn empty_line_parts_paragraphs_and_a_line_break_stays_one() {
        assert_eq!(paragraphs("a\nb\n\n\n  \nc"), [vec!["a", "b"], vec!["c"]]);
        assert_eq!(paragraphs("a"), [vec!["a"]]);
    }
}
