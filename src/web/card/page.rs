//! Renders the page of a card. Name, dates, portrait, text and farewell are all optional, and of any length. A name is broken where a
//! person would break it, and is smaller the longer it is.

use http::StatusCode;
use http::header::CONTENT_SECURITY_POLICY;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use url::form_urlencoded;

use super::CardView;
use super::picture::{alt_of, path_of, picture_of};
use super::view::{self, Picture};
use crate::drawing;
use crate::model::{Farewell, Layout, Visibility};
use crate::response::{Response, ResponseExt as _};
use crate::text::name::{can_break, split_name};
use crate::text::{self, card as words, date};
use crate::web::context::PageContext;
use crate::web::{page, share};

/// The width of a portrait. A phone gets a smaller file than its layout shows: at a density of three the difference
/// is invisible.
const PORTRAIT_SIZES: &str = "(max-width: 30rem) 15rem, 25.5rem";
/// A text of at most this many characters is centred.
const SHORT_TEXT_CHARS: usize = 280;

/// The parts of the page around the card.
#[derive(Default)]
pub(in crate::web) struct Frame {
    /// The addresses for link previews.
    pub addresses: Option<Addresses>,
    /// A notice above the card.
    pub notice: Option<Markup>,
    /// An invisible picture that a browser requests when it shows the page.
    pub seen: Option<String>,
    /// The part that stays at the bottom of the screen.
    pub bar: Option<Markup>,
    /// The path of the farewell for calendars.
    pub calendar: Option<String>,
    /// Whether the page is a picture in a frame of the customizer, of which nothing can be pressed.
    pub is_inert: bool,
}

/// The addresses that messengers read.
pub(in crate::web) struct Addresses {
    /// The full address of the page.
    pub page: String,
    /// The slug of the card, below which its picture is.
    pub slug: String,
}

/// Returns the page of a card.
pub(in crate::web) fn render(context: &PageContext, view: &CardView, frame: &Frame) -> Response {
    let shape = match view.layout {
        Layout::Portrait if view.portrait.is_some() => "layout-portrait pictured",
        Layout::Portrait => "layout-portrait",
        // Without a photo there is nothing to stand beside.
        Layout::SideBySide if view.portrait.is_none() => "layout-portrait",
        Layout::SideBySide => "layout-beside",
        Layout::Text => "layout-text",
    };
    let text = view.text.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let is_long = text.is_some_and(|text| text.chars().count() > SHORT_TEXT_CHARS);
    document(
        context,
        view,
        frame,
        shape,
        html! {
            article.sheet.from-left[is_long] {
                @if view.layout != Layout::Text { (portrait(view)) }
                div {
                    @if let Some(lead_in) = words::lead_in(view.lead_in).filter(|_| view.name.is_some()) { p.lead { (lead_in) } }
                    (render_name(view.name.as_deref()))
                    (dates(view))
                }
                div.story {
                    @if text.is_some() || (view.livestream.is_some() && view.farewell.is_empty()) { hr.rule; }
                    @if let Some(text) = text { (story(text)) }
                    (render_farewell(&view.farewell, frame.calendar.as_deref()))
                    @if let Some(address) = &view.livestream {
                        p.broadcast { a.button href=(address) rel="noopener noreferrer" { (words::BROADCAST) } }
                    }
                }
                @if view.layout == Layout::Text { (portrait(view)) }
            }
        },
    )
}

/// Returns the page for a caller who may not see the card: only its theme.
pub(super) fn closed(
    context: &PageContext,
    view: &CardView,
    addresses: Option<Addresses>,
    title: &str,
    story: &str,
) -> Response {
    let bare = CardView {
        name: None,
        date_of_birth: None,
        date_of_death: None,
        portrait: None,
        text: None,
        farewell: Farewell::default(),
        livestream: None,
        ..view.clone()
    };
    let frame = Frame { addresses, ..Frame::default() };
    document(
        context,
        &bare,
        &frame,
        "closed",
        html! {
            article.sheet {
                h1 { (title) }
                p { (story) }
            }
        },
    )
}

fn document(context: &PageContext, view: &CardView, frame: &Frame, shape: &str, sheet: Markup) -> Response {
    let style = context.card_style(view.look.style);
    // A personal link is not printed.
    let printed = frame.addresses.as_ref().filter(|_| view.visibility == Visibility::Open).map(|own| own.page.as_str());
    let page = html! {
        (DOCTYPE)
        html lang="nl" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                (titles(context, view, frame))
                meta name="robots" content="noindex, nofollow";
                meta name="referrer" content="no-referrer";
                meta name="format-detection" content="telephone=no, date=no, address=no, email=no";
                meta name="color-scheme" content=(view.look.scheme);
                meta name="theme-color" content=(view.look.frame);
                style { (PreEscaped(&style.text)) }
            }
            body.(shape).coverless[view.cover.is_none()] inert[frame.is_inert] {
                a.skip href="#inhoud" { (text::SKIP) }
                @if let Some(notice) = &frame.notice { div.notice role="note" { (notice) } }
                @if let Some(cover) = &view.cover {
                    header.cover {
                        picture {
                            @if let Some(wide) = &view.wide_cover {
                                source media="(min-width: 52rem), print" srcset=(wide.address) width="2400" height="800";
                            }
                            img src=(cover.address) alt=(cover.alt) width="1200" height="800";
                        }
                    }
                }
                main #inhoud tabindex="-1" { (sheet) }
                @if let Some(address) = printed { div.on-paper { (share::draw_qr_code(address, words::QR)) p { (address) } } }
                @if frame.notice.is_none() {
                    footer.card-foot { (page::footer(context, view.partner.as_ref(), Some(&words::footer(view.name.as_deref())))) }
                }
                @if let Some(bar) = &frame.bar { (bar) }
                @if let Some(address) = &frame.seen { img src=(address) alt="" width="1" height="1" hidden; }
            }
        }
    };
    let policy = if frame.is_inert { context.framed_card_policy() } else { &style.policy };
    page::respond(StatusCode::OK, page).with(CONTENT_SECURITY_POLICY, policy.clone())
}

/// The title of the tab and the data for link previews (Open Graph protocol). A card by invitation has no name in either,
/// because the servers of messengers read previews.
fn titles(context: &PageContext, view: &CardView, frame: &Frame) -> Markup {
    let named = view.name.as_deref().filter(|_| view.visibility == Visibility::Open);
    let title = named.map_or_else(|| words::PREVIEW_TITLE.to_owned(), |name| words::in_memory_of(view.lead_in, name));
    let description = match named {
        Some(_) => {
            date::lifetime(view.date_of_birth, view.date_of_death).unwrap_or_else(|| words::PREVIEW_OPEN.to_owned())
        }
        None if view.visibility == Visibility::Open => words::PREVIEW_OPEN.to_owned(),
        None => words::PREVIEW_CLOSED.to_owned(),
    };
    html! {
        title { (title) }
        @if let Some(addresses) = &frame.addresses {
            meta property="og:type" content="website";
            meta property="og:locale" content="nl_NL";
            meta property="og:site_name" content=(text::SITE);
            meta property="og:title" content=(title);
            meta property="og:description" content=(description);
            meta property="og:url" content=(addresses.page);
            (picture(context, view, &addresses.slug))
            meta name="twitter:card" content="summary_large_image";
        }
    }
}

/// The picture for link previews.
fn picture(context: &PageContext, view: &CardView, slug: &str) -> Markup {
    let picture = picture_of(view);
    let address = [context.services.public_base.as_str(), &path_of(&picture, slug)].concat();
    html! {
        meta property="og:image" content=(address);
        meta property="og:image:type" content="image/jpeg";
        meta property="og:image:width" content=(drawing::SIZE.width);
        meta property="og:image:height" content=(drawing::SIZE.height);
        meta property="og:image:alt" content=(alt_of(&picture));
    }
}

fn dates(view: &CardView) -> Markup {
    let day = |date: chrono::NaiveDate| html! { time datetime=(date.to_string()) { (date::in_full(date)) } };
    html! {
        @match (view.date_of_birth, view.date_of_death) {
            (Some(birth), Some(death)) if birth == death => p.dates { (words::BORN_AND_DIED) (day(death)) },
            (Some(birth), Some(death)) => p.dates {
                span.aside { (words::BORN) } (day(birth)) " – " span.aside { (words::DIED) } (day(death))
            },
            (Some(birth), None) => p.dates { (words::BORN) (day(birth)) },
            (None, Some(death)) => p.dates { (words::DIED) (day(death)) },
            (None, None) => {}
        }
    }
}

fn portrait(view: &CardView) -> Markup {
    let image = |picture: &Picture| {
        let classes = picture.size.and_then(|size| {
            view::crop_classes(picture.focal_point, size, view.layout).or_else(|| view::place_classes(size))
        });
        let (width, height) = picture.size.map_or((None, None), |size| (Some(size.width), Some(size.height)));
        let widths = picture.phone.as_ref().zip(width);
        let widths = widths.map(|((phone, small), width)| format!("{phone} {small}w, {} {width}w", picture.address));
        let sizes = widths.as_ref().map(|_| PORTRAIT_SIZES);
        html! {
            img class=[classes] src=(picture.address) srcset=[widths] sizes=[sizes]
                alt=(picture.alt) width=[width] height=[height];
        }
    };
    html! {
        @match (&view.portrait, &view.ornament) {
            (Some(portrait), _) => {
                figure.portrait { (image(portrait)) }
            }
            // Decoration only: the cover has the alternative text.
            (None, Some(ornament)) => figure.portrait.ornament { img src=(ornament.address) alt="" width="800" height="800"; },
            (None, None) => {}
        }
    }
}

/// The text of the family. An empty line separates paragraphs; other line breaks stay.
fn story(text: &str) -> Markup {
    html! {
        div.words {
            @for lines in paragraphs(text) {
                p dir="auto" { @for (index, line) in lines.iter().enumerate() { @if index > 0 { br; } (line) } }
            }
        }
    }
}

fn paragraphs(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().map(str::trim_end).collect::<Vec<_>>();
    lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty()).map(<[&str]>::to_vec).collect()
}

/// A name is set smaller if it has more than so many characters, or a word with more than so many.
const LONG_CHARS: (usize, usize) = (40, 15);
const LONGEST_CHARS: (usize, usize) = (80, 22);

/// Renders the name as the title of the card.
fn render_name(name: Option<&str>) -> Markup {
    let Some(name) = name else { return html! { h1 { (words::UNNAMED) } } };
    // Names can be written from right to left, which must not affect the page around them.
    html! {
        h1 class=[name_size(name)] dir="auto" {
            (render_parts(name))
        }
    }
}

/// Renders a name whose parts stay on one line where the line is long enough (class `whole`).
pub(in crate::web) fn render_parts(name: &str) -> Markup {
    html! {
        @for part in split_name(name) {
            @if can_break(&part) { span.whole { (part.trim_end()) } @if part.ends_with(' ') { " " } } @else { (part) }
        }
    }
}

/// Returns the class of the size, which the longest word and the whole name decide.
fn name_size(name: &str) -> Option<&'static str> {
    let chars = name.chars().count();
    let longest = name.split([' ', '-']).map(|word| word.chars().count()).max().unwrap_or_default();
    let exceeds = |(all, word): (usize, usize)| chars > all || longest > word;
    match () {
        () if exceeds(LONGEST_CHARS) => Some("longest"),
        () if exceeds(LONG_CHARS) => Some("long"),
        () => None,
    }
}

/// Shows the farewell; `calendar` is the path of its file for calendars.
fn render_farewell(farewell: &Farewell, calendar: Option<&str>) -> Markup {
    if farewell.is_empty() {
        return html! {};
    }
    html! {
        section.farewell aria-labelledby="afscheid" {
            h2 #afscheid { (words::FAREWELL) }
            @if let Some(day) = farewell.date {
                p.when {
                    time datetime=(date_time(farewell)) {
                        span { (date::weekday(day)) } " " span { (date::in_full(day)) }
                        @if let Some(hour) = date::hour(farewell) { " " span { (hour) } }
                    }
                }
            }
            @if let Some(place) = &farewell.place { p.where dir="auto" { (place) } }
            @if let Some(address) = &farewell.address { (lines(&keep_postcodes(address))) }
            @if let Some(note) = &farewell.note { (lines(note)) }
            @if farewell.date.is_some() || farewell.location().is_some() {
                p.ways {
                    @if let Some(location) = farewell.location() {
                        a.button.quiet href=(route_link(&location)) rel="noopener noreferrer" { (words::ROUTE) }
                    }
                    @if let Some(path) = calendar.filter(|_| farewell.date.is_some()) {
                        a.button.quiet href=(path) { (words::CALENDAR) }
                    }
                }
            }
        }
    }
}

fn lines(text: &str) -> Markup {
    html! {
        p dir="auto" { @for (index, line) in text.lines().enumerate() { @if index > 0 { br; } (line) } }
    }
}

/// Keeps each postcode, such as `1097 GA`, on one line.
fn keep_postcodes(address: &str) -> String {
    let mut kept = address.to_owned();
    for (index, window) in address.as_bytes().windows(7).enumerate().rev() {
        if let [digits @ .., b' ', first, second] = window
            && digits.iter().all(u8::is_ascii_digit)
            && [first, second].iter().all(|letter| letter.is_ascii_uppercase())
        {
            kept.replace_range(index + 4..index + 5, "\u{a0}");
        }
    }
    kept
}

/// The date, with its time if that is known, as HTML writes it.
fn date_time(farewell: &Farewell) -> String {
    let date = farewell.date.map(|date| date.to_string()).unwrap_or_default();
    match farewell.time {
        Some(time) => format!("{date}T{}", crate::model::time_text(time)),
        None => date,
    }
}

/// A link that opens the map of a phone or of a browser. Nothing is asked there before a person follows it.
fn route_link(location: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([("api", "1"), ("destination", location)])
        .finish();
    format!("https://www.google.com/maps/dir/?{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_line_separates_paragraphs_and_other_line_breaks_stay() {
        assert_eq!(paragraphs("a\nb\n\n\n  \nc"), [vec!["a", "b"], vec!["c"]]);
        assert_eq!(paragraphs("a"), [vec!["a"]]);
    }

    #[test]
    fn long_name_or_word_is_set_smaller() {
        for (name, expected) in [
            ("Johanna van der Meer", None),
            ("Jo Oldenbarnevelt", None),
            ("Jo Schimmelpenninck", Some("long")),
            ("Wilhelmina Catharina Elisabeth van der Meer", Some("long")),
            (&"A".repeat(54), Some("longest")),
        ] {
            assert_eq!(name_size(name), expected, "{name}");
        }
    }
}
