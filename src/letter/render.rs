//! Renders a letter as plain text and as HTML. The styles are inline, because mail programs ignore style sheets, and the layout is of
//! tables, because Outlook for Windows shows widths and padding of nothing else.

use maud::{DOCTYPE, Markup, html};

use super::{Block, Colours, End, Top};
use crate::mail::PICTURE_ID;
use crate::text::mail::Piece;
use crate::text::name::{can_break, split_name};
use crate::text::{card, mail as text};

/// The parts of a letter, from top to bottom.
pub(super) struct Letter<'a> {
    pub top: &'a Top,
    pub greeting: &'a str,
    pub is_test: bool,
    pub blocks: &'a [Block],
    pub end: &'a End,
    /// The lines of the partner's contact.
    pub partner: &'a [Vec<Piece>],
}

/// Renders a letter as plain text.
pub(super) fn plain(letter: &Letter<'_>) -> String {
    let &Letter { top, greeting, is_test, blocks, end, partner } = letter;
    let mut parts = Vec::new();
    if let Some(name) = &top.name {
        let lines = [top.lead_in, Some(name), top.dates.as_deref()];
        parts.push(lines.into_iter().flatten().collect::<Vec<_>>().join("\n"));
    }
    parts.push(greeting.to_owned());
    parts.extend(is_test.then(|| text::TEST.to_owned()));
    parts.extend(blocks.iter().map(|block| match block {
        Block::Words(words) => words.clone(),
        Block::Button { label, address } | Block::Link { label, address } => format!("{label}:\n{address}"),
        // The sign before each line keeps it apart from the words of this service.
        Block::Quote(words) => words.split('\n').map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n"),
        Block::Farewell(lines) => format!("{}\n{}", card::FAREWELL, lines.join("\n")),
    }));
    parts.push(end.closing.join("\n"));
    parts.push(end.answer.clone());
    let line = |pieces: &Vec<Piece>| pieces.iter().map(|piece| piece.text.as_str()).collect::<String>();
    parts.push(partner.iter().map(line).collect::<Vec<_>>().join("\n"));
    parts.join("\n\n") + "\n"
}

const BODY: &str = "margin:0;padding:0;color:#26292b;font:17px/1.6";
const SHEET: &str = "padding:32px 24px;background:#ffffff;overflow-wrap:anywhere;font:17px/1.6";
const TABLE: &str = "width:100%;max-width:608px;margin:0 auto";
const COVER: &str = "display:block;width:100%;max-width:608px;height:auto;margin:0 auto";
const LEAD: &str = "margin:0;text-align:center;color:#565c5f";
const NAME: &str = "margin:4px 0;text-align:center;font:normal 30px/1.25";
const WHOLE: &str = "display:inline-block;max-width:100%";
const FAREWELL: &str = "margin:0 0 18px;padding:14px 0 0;border-top:1px solid";
const DATES: &str = "margin:0 0 28px;text-align:center;color:#565c5f";
const WORDS: &str = "margin:0 0 18px";
const QUOTE: &str = "margin:0 0 24px;padding:4px 0 4px 18px;border-left:3px solid #d9d4cb;font-style:italic";
const BUTTON: &str = "padding:12px 22px;border-radius:6px;background:";
const LABEL: &str = "color:#ffffff;font:600 16px/1.5 Arial,sans-serif;text-decoration:none";
const SMALL: &str =
    "margin:24px 0 0;padding-top:16px;border-top:1px solid #d9d4cb;font:13px/1.5 Arial,sans-serif;color:#565c5f";
const SMALL_LINK: &str = "color:#565c5f";

/// Renders a letter as HTML.
pub(super) fn page(subject: &str, letter: &Letter<'_>) -> Markup {
    let &Letter { top, greeting, is_test, blocks, end, partner } = letter;
    let Colours { paper, accent, fonts } = top.colours;
    let addresses = blocks.iter().filter_map(|block| match block {
        Block::Button { address, .. } => Some(address),
        _ => None,
    });
    html! {
        (DOCTYPE)
        html lang="nl" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (subject) }
            }
            body style={ (BODY) " " (fonts) ";background:" (paper) } {
                // Decoration only: the name is text.
                @if top.has_cover { img src={ "cid:" (PICTURE_ID) } alt="" width="608" style=(COVER); }
                table role="presentation" width="608" align="center" cellpadding="0" cellspacing="0" border="0" style=(TABLE) { tr {
                td style={ (SHEET) " " (fonts) } bgcolor="#ffffff" {
                    @if let Some(name) = &top.name {
                        @if let Some(lead_in) = top.lead_in { p style=(LEAD) { (lead_in) } }
                        h1 style={ (NAME) " " (fonts) ";color:" (accent) } dir="auto" { (render_name(name)) }
                        p style=(DATES) { @if let Some(dates) = &top.dates { (dates) } }
                    }
                    p style=(WORDS) { (greeting) }
                    @if is_test { p style=(WORDS) { strong { (text::TEST) } } }
                    @for block in blocks { (render_block(block, accent)) }
                    p style=(WORDS) { @for line in &end.closing { (line) br; } }
                    p style=(SMALL) { (end.answer) }
                    p style=(SMALL) {
                        (text::BUTTON_HELP) " " (text::BUTTON_ADDRESS)
                        @for address in addresses { br; a href=(address) style=(SMALL_LINK) { (address) } }
                    }
                    p style=(SMALL) { @for line in partner { (render_pieces(line)) br; } }
                }
                } }
            }
        }
    }
}

/// Renders a name whose parts stay on one line where the line is long enough.
fn render_name(name: &str) -> Markup {
    html! {
        @for part in split_name(name) {
            @if can_break(&part) { span style=(WHOLE) { (part.trim_end()) } @if part.ends_with(' ') { " " } } @else { (part) }
        }
    }
}

fn render_block(block: &Block, accent: &str) -> Markup {
    html! {
        @match block {
            Block::Words(words) => p style=(WORDS) { (words) },
            Block::Quote(words) => blockquote style=(QUOTE) dir="auto" {
                @for line in words.split('\n') { (line) br; }
            },
            Block::Farewell(lines) => p style={ (FAREWELL) " " (accent) } dir="auto" {
                strong style={ "color:" (accent) } { (card::FAREWELL) }
                // An hour stays on its line.
                @for line in lines { br; (line.replace(" uur", "\u{a0}uur")) }
            },
            Block::Button { label, address } => {
                // The outer table makes the room below, because Outlook shows no margin of tables.
                table role="presentation" cellpadding="0" cellspacing="0" border="0" { tr { td style="padding:0 0 24px" {
                    table role="presentation" cellpadding="0" cellspacing="0" border="0" { tr {
                        td style={ (BUTTON) (accent) } bgcolor=(accent) { a href=(address) style=(LABEL) { (label) } }
                    } }
                } } }
            }
            Block::Link { label, address } => p style=(WORDS) { a href=(address) style={ "color:" (accent) } { (label) } },
        }
    }
}

fn render_pieces(pieces: &[Piece]) -> Markup {
    html! {
        @for piece in pieces {
            @match &piece.address {
                Some(address) => a href=(address) style=(SMALL_LINK) { (piece.text) },
                None => (piece.text),
            }
        }
    }
}
