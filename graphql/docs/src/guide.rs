//! The pages of a guide, next to the reference, from Markdown.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

use super::html::{self, Place, escape};
use super::{Addresses, DatedSdl, Site};

/// A page of the guide.
#[derive(Clone, Debug)]
pub struct Guide {
    /// The last part of its path. A link to a file `…/<name>.md` leads to it.
    pub name: &'static str,
    /// The page in Markdown. Its first line is its title.
    pub text: String,
    /// Programs that the page links to, and shows at its end.
    pub samples: Vec<Sample>,
}

/// A program of a page.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The target of the link.
    pub path: &'static str,
    /// The program.
    pub text: String,
}

/// A part of a page below one heading, for the search.
pub(super) struct Section {
    pub id: String,
    pub title: String,
    pub text: String,
}

impl Guide {
    /// The first heading.
    pub(super) fn title(&self) -> &str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("# ")
    }

    /// The first paragraph, on one line.
    pub(super) fn summary(&self) -> String {
        let paragraph = self.text.lines().skip(1).skip_while(|line| line.is_empty());
        paragraph.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Writes the page in Markdown, with its samples.
    pub(super) fn markdown(&self) -> String {
        let mut text = self.text.clone();
        for sample in &self.samples {
            text = text.replace(&format!("]({})", sample.path), &format!("](#{})", sample.id()));
        }
        for sample in &self.samples {
            text.push_str(&format!("\n## {}\n\n```\n{}```\n", sample.file(), sample.text));
        }
        text
    }

    /// Writes the page in HTML.
    pub(super) fn page(&self, site: &Site<'_>, version_page: &DatedSdl<'_>) -> String {
        let version = version_page.sdl.version();
        let mut main = String::new();
        pulldown_cmark::html::push_html(&mut main, self.events(site.addresses).into_iter());
        for sample in &self.samples {
            let code = escape(&sample.text);
            let (id, file) = (sample.id(), sample.file());
            main.push_str(&format!("<h2 id=\"{id}\">{file}</h2>\n<pre><code>{code}</code></pre>\n"));
        }
        // Wide code is scrolled, also with the keyboard.
        let main = main.replace("<pre>", "<pre tabindex=\"0\">");
        let plain = format!("<p><a href=\"{}.md\">This page as Markdown</a></p>\n", self.name);
        let place = Place { here: &site.guide(version, self.name), root: "../", version: Some(version), search: true };
        let headings = self.sections().into_iter().skip(1);
        let links: String =
            headings.map(|at| format!("<li><a href=\"#{}\">{}</a></li>", escape(&at.id), escape(&at.title))).collect();
        let contents = format!("<nav aria-label=\"On this page\" class=\"contents\"><ul>{links}</ul></nav>\n");
        html::page(site, self.title(), &place, &[html::write_navigation(site, &place, &contents), main, plain].concat())
    }

    /// Splits the page at its headings.
    pub(super) fn sections(&self) -> Vec<Section> {
        let mut sections = vec![];
        let mut is_heading = false;
        for event in self.events(Addresses::Paths) {
            match event {
                Event::Start(Tag::Heading { id, .. }) => {
                    let id = id.map(CowStr::into_string).unwrap_or_default();
                    sections.push(Section { id, title: String::new(), text: String::new() });
                    is_heading = true;
                }
                Event::End(TagEnd::Heading(_)) => is_heading = false,
                Event::Text(text) | Event::Code(text) => {
                    let Some(section) = sections.last_mut() else { continue };
                    let to = if is_heading { &mut section.title } else { &mut section.text };
                    to.push_str(&text);
                    to.push_str(if is_heading { "" } else { " " });
                }
                Event::SoftBreak => sections.iter_mut().last().into_iter().for_each(|last| last.text.push(' ')),
                _ => {}
            }
        }
        sections
    }

    /// Parses Markdown. Headings have ids, links lead to pages of the site, and HTML is text.
    fn events(&self, addresses: Addresses) -> Vec<Event<'_>> {
        let mut events: Vec<_> = Parser::new_ext(&self.text, Options::ENABLE_TABLES).collect();
        for at in 0..events.len() {
            if matches!(events[at], Event::Start(Tag::Heading { .. })) {
                let words =
                    events[at + 1..].iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
                let words = words.filter_map(|event| match event {
                    Event::Text(text) | Event::Code(text) => Some(&**text),
                    _ => None,
                });
                let slug = slug(&words.collect::<String>());
                if let Event::Start(Tag::Heading { id, .. }) = &mut events[at] {
                    *id = Some(slug.into());
                }
            }
            match &mut events[at] {
                Event::Start(Tag::Link { dest_url, .. }) => *dest_url = self.target(dest_url, addresses).into(),
                event @ (Event::Html(_) | Event::InlineHtml(_)) => {
                    let (Event::Html(html) | Event::InlineHtml(html)) = event else { continue };
                    *event = Event::Text(std::mem::replace(html, CowStr::Borrowed("")));
                }
                _ => {}
            }
        }
        events
    }

    /// Returns where a link of the file leads on the site.
    fn target(&self, link: &str, addresses: Addresses) -> String {
        if let Some(sample) = self.samples.iter().find(|sample| sample.path == link) {
            return format!("#{}", sample.id());
        }
        let (file, anchor) = link.split_at(link.find('#').unwrap_or(link.len()));
        match file.strip_suffix(".md").filter(|_| !file.starts_with("https://")) {
            Some(name) => [name.rsplit('/').next().unwrap_or(name), addresses.ending(), anchor].concat(),
            None => link.to_owned(),
        }
    }
}

impl Sample {
    fn file(&self) -> &'static str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }

    fn id(&self) -> String {
        slug(self.file())
    }
}

/// Returns the id of a heading, as a repository's pages give it: words in lower case, joined by hyphens.
fn slug(heading: &str) -> String {
    let kept = heading
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .collect::<String>();
    kept.replace(' ', "-")
}
