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
    /// Programs that the page links to. A table whose links all lead to programs is shown as tabs, one for each row, with the first
    /// cell as its name; other programs are at the end of the page.
    pub samples: Vec<Sample>,
    /// Drawings that the page shows where an image has their path. The description of the image stands for the drawing.
    pub drawings: Vec<Drawing>,
}

/// A program of a page.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The target of the link.
    pub path: &'static str,
    /// The program.
    pub text: String,
}

/// A drawing of a page, as SVG with the classes of `style.css`.
#[derive(Clone, Copy, Debug)]
pub struct Drawing {
    /// The address of the image.
    pub path: &'static str,
    /// The file. A page leaves out its `style`, since it has the style of the site.
    pub svg: &'static str,
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
        for drawing in &self.drawings {
            if let Some((before, after)) = text.split_once(&format!("]({})", drawing.path))
                && let Some((before, description)) = before.rsplit_once("![")
            {
                text = [before, description, after].concat();
            }
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
        pulldown_cmark::html::push_html(&mut main, self.with_files(self.events(site.addresses)).into_iter());
        for sample in &self.samples {
            let id = format!(" id=\"{}\"", sample.id());
            if !main.contains(&id) {
                main.push_str(&format!("<h2{id}>{}</h2>\n{}", sample.file(), sample.code()));
            }
        }
        let plain = format!("<p><a href=\"{}.md\">This page as Markdown</a></p>\n", self.name);
        let place = Place { here: &site.guide(version, self.name), root: "../", version: Some(version), search: true };
        let headings = self.sections().into_iter().skip(1);
        let links: String =
            headings.map(|at| format!("<li><a href=\"#{}\">{}</a></li>", escape(&at.id), escape(&at.title))).collect();
        let contents = format!("<nav aria-label=\"On this page\" class=\"contents\"><ul>{links}</ul></nav>\n");
        html::page(site, self.title(), &place, &[html::write_navigation(site, &place, &contents), main, plain].concat())
    }

    /// Puts programs in place of the table that links to them, and drawings in place of images.
    fn with_files<'a>(&self, events: Vec<Event<'a>>) -> Vec<Event<'a>> {
        let mut shown = vec![];
        let mut events = events.into_iter();
        while let Some(event) = events.next() {
            match event {
                Event::Start(Tag::Table(_)) => {
                    let inner: Vec<_> = events.by_ref().take_while(|at| *at != Event::End(TagEnd::Table)).collect();
                    match self.tabs(&inner) {
                        Some(tabs) => shown.push(Event::Html(tabs.into())),
                        None => shown.extend([vec![event], inner, vec![Event::End(TagEnd::Table)]].concat()),
                    }
                }
                Event::Start(Tag::Image { dest_url, .. }) => {
                    let inner = events.by_ref().take_while(|at| *at != Event::End(TagEnd::Image));
                    let description: String = inner.map(|at| text_of(&at).unwrap_or(" ").to_owned()).collect();
                    let drawing = self.drawings.iter().find(|drawing| drawing.path == &*dest_url);
                    let svg = drawing.map(|drawing| drawing.html(&description)).unwrap_or_default();
                    shown.push(Event::InlineHtml(svg.into()));
                }
                event => shown.push(event),
            }
        }
        shown
    }

    /// Writes the programs that the rows of a table lead to, each under the text of its first cell. They share a name, so that one is
    /// open at a time, without a script. The id is inside, so that a link to it opens the program (HTML, "ancestor revealing algorithm").
    /// `None` if a link leads elsewhere, or there is none.
    fn tabs(&self, table: &[Event<'_>]) -> Option<String> {
        let (mut tabs, mut language) = (String::new(), None);
        for event in table {
            match event {
                Event::Start(Tag::TableRow) => language = None,
                Event::Start(Tag::Link { dest_url, .. }) => {
                    let sample =
                        self.samples.iter().find(|sample| dest_url.strip_prefix('#') == Some(&*sample.id()))?;
                    let open = if tabs.is_empty() { " open" } else { "" };
                    let (id, file) = (sample.id(), sample.file());
                    tabs.push_str(&format!(
                        "<details name=\"samples\"{open}><summary>{}</summary>\n<p id=\"{id}\"><code>{file}</code></p>\n{}</details>\n",
                        escape(language?),
                        sample.code()
                    ));
                }
                event => language = language.or(text_of(event)),
            }
        }
        (!tabs.is_empty()).then(|| format!("<div class=\"samples\">\n{tabs}</div>\n"))
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
                let slug = slug(&words.filter_map(text_of).collect::<String>());
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

    fn code(&self) -> String {
        format!("<pre><code>{}</code></pre>\n", escape(&self.text))
    }
}

impl Drawing {
    /// Writes the drawing with its description, without the style of the file.
    fn html(&self, description: &str) -> String {
        let (start, rest) = self.svg.split_once("<style>").unwrap_or((self.svg, ""));
        let svg = [start, rest.split_once("</style>").map_or(rest, |(_, body)| body)].concat();
        let described = format!("<svg class=\"drawing\" role=\"img\" aria-label=\"{}\"", escape(description));
        svg.replacen(NAMESPACED, &described, 1)
    }
}

/// How a file of a drawing begins. In HTML an `svg` needs no namespace.
const NAMESPACED: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"";

/// Returns the text of an event that is text or code.
fn text_of<'a>(event: &'a Event<'_>) -> Option<&'a str> {
    match event {
        Event::Text(text) | Event::Code(text) => Some(text),
        _ => None,
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
