//! Renders a letter as plain text and as HTML. The styles are inline, because mail programs ignore style sheets.

use maud::{DOCTYPE, Markup, html};

use super::{Block, Colours, End, Top};
use crate::mail::PICTURE_ID;
use crate::text::{card, mail as text};

/// Renders a letter as plain text.
pub(super) fn plain(top: &Top, greeting: &str, blocks: &[Block], end: &End, partner: &[String], test: bool) -> String {
    let mut parts = Vec::new();
    if let Some(name) = &top.name {
        let lines = [Some(card::IN_MEMORY_OF), Some(name), top.dates.as_deref()];
        parts.push(lines.into_iter().flatten().collect::<Vec<_>>().join("\n"));
    }
    parts.push(greeting.to_owned());
    parts.extend(test.then(|| text::TEST.to_owned()));
    parts.extend(blocks.iter().map(|block| match block {
        Block::Words(words) => words.clone(),
        Block::Link { label, address } => format!("{label}:\n{address}"),
        // The sign before each line keeps it apart from the words of this service.
        Block::Quote(words) => words.split('\n').map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n"),
        Block::Farewell(lines) => format!("{}\n{}", card::FAREWELL, lines.join("\n")),
    }));
    parts.push(end.closing.join("\n"));
    parts.push(end.answer.clone());
    parts.push(partner.join("\n"));
    parts.join("\n\n") + "\n"
}

const BODY: &str = "margin:0;padding:0;color:#26292b;font:17px/1.6";
const SHEET: &str = "max-width:560px;margin:0 auto;padding:32px 24px;background:#ffffff;overflow-wrap:anywhere";
const COVER: &str = "display:block;width:100%;max-width:608px;height:auto;margin:0 auto";
const LEAD: &str = "margin:0;text-align:center;color:#565c5f";
const NAME: &str = "margin:4px 0;text-align:center;font:normal 30px/1.25";
const FAREWELL: &str = "margin:0 0 18px;padding:14px 0 0;border-top:1px solid";
const DATES: &str = "margin:0 0 28px;text-align:center;color:#565c5f";
const WORDS: &str = "margin:0 0 18px";
const QUOTE: &str = "margin:0 0 24px;padding:4px 0 4px 18px;border-left:3px solid #d9d4cb;font-style:italic";
const BUTTON: &str = "display:inline-block;padding:12px 22px;border-radius:6px;color:#ffffff;\
                      font:600 16px/1.5 Arial,sans-serif;text-decoration:none";
const ADDRESS: &str = "margin:12px 0 24px;font:13px/1.5 Arial,sans-serif;color:#565c5f";
const SMALL: &str =
    "margin:24px 0 0;padding-top:16px;border-top:1px solid #d9d4cb;font:13px/1.5 Arial,sans-serif;color:#565c5f";

/// Renders a letter as HTML.
pub(super) fn page(
    subject: &str,
    top: &Top,
    greeting: &str,
    blocks: &[Block],
    end: &End,
    partner: &[String],
    test: bool,
) -> Markup {
    let Colours { paper, accent, fonts } = top.colours;
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
                div style=(SHEET) {
                    @if let Some(name) = &top.name {
                        p style=(LEAD) { (card::IN_MEMORY_OF) }
                        h1 style={ (NAME) " " (fonts) ";color:" (accent) } dir="auto" { (name) }
                        p style=(DATES) { @if let Some(dates) = &top.dates { (dates) } }
                    }
                    p style=(WORDS) { (greeting) }
                    @if test { p style=(WORDS) { strong { (text::TEST) } } }
                    @for block in blocks {
                        @match block {
                            Block::Words(words) => p style=(WORDS) { (words) },
                            Block::Quote(words) => blockquote style=(QUOTE) dir="auto" {
                                @for line in words.split('\n') { (line) br; }
                            },
                            Block::Farewell(lines) => p style={ (FAREWELL) " " (accent) } dir="auto" {
                                strong style={ "color:" (accent) } { (card::FAREWELL) }
                                @for line in lines { br; (line) }
                            },
                            Block::Link { label, address } => {
                                p style="margin:0" { a href=(address) style={ (BUTTON) ";background:" (accent) } { (label) } }
                                // A mail program that cannot collapse it shows both.
                                details style=(ADDRESS) {
                                    summary { (text::BUTTON_HELP) }
                                    p style="margin:4px 0" { (text::BUTTON_ADDRESS) }
                                    p style="margin:4px 0" { a href=(address) style="color:#565c5f" { (address) } }
                                }
                            }
                        }
                    }
                    p style=(WORDS) { @for line in &end.closing { (line) br; } }
                    p style=(SMALL) { (end.answer) }
                    p style=(SMALL) { @for line in partner { (line) br; } }
                }
            }
        }
    }
}
