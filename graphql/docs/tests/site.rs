//! The reference site: every link has a target, every coordinate an anchor, and text of the schema is escaped.

#![allow(clippy::unwrap_used)] // a failure of a test

use std::collections::{BTreeMap, BTreeSet};

use dated_graphql_docs::{Addresses, DatedSdl, Drawing, File, Guide, Notification, Sample, Service, examples, site};
use dated_graphql_schema::model::Kind;
use dated_graphql_schema::{Sdl, VersionStatus};

/// A schema with every kind of element, and HTML in every text.
const OLD: &str = r#"
"<script>alert('schema')</script> & `Book`, \"quoted\"." schema { query: Query mutation: Change }
"Marks <b>." directive @mark("<i>." by: String = "<\"x\">") on OBJECT
"A day." scalar Day @specifiedBy(url: "https://example.org/?a=1&b=<x>")
"A scalar." scalar Odd @specifiedBy(url: "javascript:alert(1)")
interface Node { id: ID! }
"A book." type Book implements Node { id: ID!  "Old." old: Odd @deprecated(reason: "Use <b>`id`</b>.")  day: Day
  page(first: Int = 2, where: WhereInput): [Book!]  state: State  any: Any }
type BookConnection { edges: [BookEdge!]! nodes: [Book!]! pageInfo: PageInfo! }
type BookEdge { cursor: String! node: Book! }
type PageInfo { hasNextPage: Boolean! }
"Anything." union Any = Book | PageInfo
enum State { "`<s>`" DRAFT  OLD @deprecated(reason: "Gone.") }
input WhereInput { "At most 5 <items>." text: String!  state: State! = DRAFT  deep: DeepInput!  old: Int @deprecated }
input DeepInput { days: [Day!]! }
type Query { node(id: ID!): Node  books(first: Int, after: String): BookConnection!  find(where: WhereInput!): Any }
type Change { drop(bookId: ID!, gone: Int @deprecated(reason: "No.")): Book  old: Int @deprecated(reason: "No.") }
"#;

const SERVICE: Service = Service {
    name: "Books & <more>",
    summary: "A shop.",
    folder: "",
    endpoint: |version| format!("/api/{version}"),
    guide: |version| {
        let text = format!(
            "# First steps\n\nHow to\nbegin: [go on](errors.md#kinds), [run](first/first.mjs), `{version}`, <b>.\n\n\
             - [its JSON Schema](BOOK_ADD.schema.json), [elsewhere](https://example.org/x.md)\n\n![Read \"it\",\nthen go](go.svg)\n\n\
             | language | sample |\n|---|---|\n| C<sub> | [go](first/go.c) |\n| Go | [go](first/go.go) |\n\n| not |\n|---|\n| all |\n"
        );
        let sample = |path, text: &str| Sample { path, text: text.to_owned() };
        let programs = ["first/go.c", "first/go.go"].map(|path| sample(path, "go(\"<y>\")\n"));
        let samples = [vec![sample("first/first.mjs", "run(\"<x>\")\n")], programs.to_vec()].concat();
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>text{}</style><text class=\"soft\">go</text></svg>";
        let drawings = vec![Drawing { path: "go.svg", svg }];
        let errors = "# Errors\n\nNone.\n\n## Kinds\n\nOf `one`\nor two.\n".to_owned();
        vec![
            Guide { name: "first", text, samples, drawings },
            Guide { name: "errors", text: errors, samples: vec![], drawings: vec![] },
        ]
    },
    notifications: |_| vec![Notification { topic: "BOOK_ADD".to_owned(), text: "{}".to_owned() }],
    id: |ty| format!("id:{ty}"),
};

fn sdls() -> [Sdl; 2] {
    let new = OLD.replace("  state: State  any: Any }", "  any: Any  fresh(by: State = OLD): Float }");
    let read = |version: &str, text: &str| Sdl::parse(version, "a.graphql", text).unwrap_or_else(|e| panic!("{e}"));
    [read("2026-10", OLD), read("2027-01", &new)]
}

fn version_page<'a>(sdl: &'a Sdl, status: VersionStatus) -> DatedSdl<'a> {
    DatedSdl { sdl, status, published: Some("2026-10-01"), deprecated: None, sunset: None }
}

fn files() -> Vec<File> {
    let [old, new] = sdls();
    site(
        &SERVICE,
        &[version_page(&old, VersionStatus::Current), version_page(&new, VersionStatus::Candidate)],
        Addresses::Files,
    )
}

fn pages(files: &[File]) -> BTreeMap<&str, &str> {
    let pages = files.iter().filter(|file| file.path.ends_with(".html"));
    pages.map(|file| (&*file.path, std::str::from_utf8(&file.bytes).unwrap())).collect()
}

/// Returns the values of an attribute, unescaped.
fn attributes(html: &str, name: &str) -> Vec<String> {
    let start = format!(" {name}=\"");
    let values = html.match_indices(&start).map(|(at, _)| {
        let value = &html[at + start.len()..];
        let value = &value[..value.find('"').expect("an attribute ends")];
        value
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&amp;", "&")
    });
    values.collect()
}

#[test]
fn link_leads_to_a_page_and_an_anchor_of_the_site() {
    let [old, _] = sdls();
    let plain = site(&Service::default(), &[version_page(&old, VersionStatus::Current)], Addresses::Files);
    for files in [files(), plain] {
        let pages = pages(&files);
        let ids: BTreeMap<&str, BTreeSet<String>> =
            pages.iter().map(|(path, html)| (*path, attributes(html, "id").into_iter().collect())).collect();
        let mut count = 0;
        for (path, html) in &pages {
            for link in attributes(html, "href").into_iter().chain(attributes(html, "src")) {
                if link.starts_with("https://") {
                    continue;
                }
                let (page, id) = link.split_once('#').map_or((&*link, None), |(page, id)| (page, Some(id)));
                let page = if page.is_empty() { (*path).to_owned() } else { joined(path, page) };
                assert!(files.iter().any(|file| file.path == page), "{path}: {link} leads nowhere");
                assert!(id.is_none_or(|id| ids[&*page].contains(id)), "{path}: {link} has no place");
                count += 1;
            }
        }
        assert!(count > 50, "only {count} links");
    }
}

/// Returns the path that a relative link on a page leads to.
fn joined(page: &str, link: &str) -> String {
    let mut folders: Vec<&str> = page.split('/').collect();
    folders.pop();
    for part in link.split('/') {
        match part {
            ".." => assert!(folders.pop().is_some(), "{page}: {link} leaves the site"),
            part => folders.push(part),
        }
    }
    folders.join("/")
}

#[test]
fn coordinate_has_an_anchor_of_its_own() {
    let [old, new] = sdls();
    for sdl in [&old, &new] {
        let alone = site(&SERVICE, &[version_page(sdl, VersionStatus::Current)], Addresses::Files);
        let own = pages(&alone);
        for (path, html) in &own {
            let ids = attributes(html, "id");
            assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{path}: an id occurs once");
        }
        let coordinates = coordinates(sdl);
        assert!(coordinates.len() > 30);
        for coordinate in coordinates {
            let ty = if coordinate.starts_with('@') { "Directives" } else { coordinate.split('.').next().unwrap() };
            let page = own[&*format!("{}/{ty}.html", sdl.version())];
            assert!(attributes(page, "id").contains(&coordinate), "{coordinate} has no anchor");
        }
    }
    assert!(pages(&files())["2027-01/Book.html"].contains("id=\"Book.fresh(by:)\""));
}

/// Every coordinate of a schema, told from the model.
fn coordinates(sdl: &Sdl) -> Vec<String> {
    let mut all: Vec<String> = sdl.schema.directives.iter().map(|directive| format!("@{}", directive.name)).collect();
    for ty in &sdl.schema.types {
        all.push(ty.name.clone());
        for field in ty.fields() {
            all.push(format!("{}.{}", ty.name, field.name));
            all.extend(field.args.iter().map(|arg| format!("{}.{}({}:)", ty.name, field.name, arg.name)));
        }
        match &ty.kind {
            Kind::Enum { values } => all.extend(values.iter().map(|value| format!("{}.{}", ty.name, value.name))),
            Kind::Input { fields, .. } => all.extend(fields.iter().map(|field| format!("{}.{}", ty.name, field.name))),
            _ => {}
        }
    }
    all
}

#[test]
fn text_of_a_schema_never_becomes_html() {
    for (path, html) in pages(&files()) {
        for evil in ["<script>", "<b>", "<i>", "<s>", "<items>", "<\"x\">", "href=\"javascript:", "&b=<x>"] {
            assert!(!html.contains(evil), "{path} holds {evil}");
        }
    }
    let files = files();
    let html = pages(&files)["2026-10.html"];
    assert!(
        html.contains("&lt;script&gt;alert(&#39;schema&#39;)&lt;/script&gt; &amp; "),
        "it is shown as it was written"
    );
    assert!(pages(&files)["2026-10/Day.html"].contains("href=\"https://example.org/?a=1&amp;b=&lt;x&gt;\""));
}

#[test]
fn page_has_no_inline_script_or_style_and_is_well_formed() {
    for (path, html) in pages(&files()) {
        assert!(html.starts_with("<!doctype html>\n<html lang=\"en\">"), "{path}");
        assert!(html.contains("<meta name=\"viewport\"") && html.contains("<title>"), "{path}");
        assert_eq!(html.matches("<h1").count(), 1, "{path}");
        assert!(html.contains("href=\"#content\"") && html.contains("<main id=\"content\""), "{path}");
        for inline in ["<style", " style=", " onclick=", "<script>", "=\"http://"] {
            assert!(!html.contains(inline), "{path} holds {inline}");
        }
        balanced(path, html);
    }
}

/// Asserts that every tag that is opened is closed where it should be.
fn balanced(path: &str, html: &str) {
    let mut open: Vec<&str> = vec![];
    for (at, _) in html.match_indices('<') {
        let tag = &html[at + 1..at + html[at..].find('>').expect("a tag ends")];
        let name = tag.split([' ', '\n']).next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{path}: </{name}>"),
            None if ["!doctype", "meta", "link", "input"].contains(&name) => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{path}: {open:?}");
}

#[test]
fn guide_shows_its_samples_and_leads_to_its_other_pages() {
    let files = files();
    let text = |path: &str| {
        let file = files.iter().find(|file| file.path == path).expect("a file");
        std::str::from_utf8(&file.bytes).unwrap().to_owned()
    };
    let page = text("2027-01/first.html");
    for part in [
        "<title>First steps · Books &amp; &lt;more&gt;</title>",
        "<a href=\"errors.html#kinds\">go on</a>, <a href=\"#firstmjs\">run</a>, <code>2027-01</code>, &lt;b&gt;.",
        "<a href=\"BOOK_ADD.schema.json\">",
        "<a href=\"https://example.org/x.md\">",
        "<h2 id=\"firstmjs\">first.mjs</h2>\n<pre><code>run(&quot;&lt;x&gt;&quot;)",
        "<details name=\"samples\" open><summary>C</summary>\n<p id=\"goc\"><code>go.c</code></p>\n<pre><code>go(",
        "<details name=\"samples\"><summary>Go</summary>\n<p id=\"gogo\">",
        "<td>all</td>",
        "<p><svg class=\"drawing\" role=\"img\" aria-label=\"Read &quot;it&quot;, then go\">\
         <text class=\"soft\">go</text></svg></p>",
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    assert!(text("2026-10/errors.html").contains("<h2 id=\"kinds\">"));
    let plain = text("2026-10/first.md");
    for part in
        ["[run](#firstmjs), `2026-10`", "\n\nRead \"it\",\nthen go\n\n", "## first.mjs\n\n```\nrun(\"<x>\")\n```\n"]
    {
        assert!(plain.contains(part), "{part} is not in {plain}");
    }
    let list = text("llms.txt");
    let first = "- [First steps](2026-10/first.md): How to begin: [go on]";
    assert!(list.starts_with("# Books & <more>\n\n> A shop.\n") && list.contains(first), "{list}");
    assert!(list.contains("(2027-01/reference.md)") && list.contains("- [BOOK_ADD](2026-10/BOOK_ADD.schema.json)"));
    let reference = text("2026-10/reference.md");
    assert!(reference.contains("### `books(first: Int, after: String): BookConnection!`"), "{reference}");
    assert!(reference.contains("- `old: Odd`: Old. *Deprecated:* Use <b>`id`</b>."), "{reference}");
    assert!(text("index.html").contains("<code>POST /api/2026-10</code>"));
}

#[test]
fn search_finds_parts_of_the_guide_and_elements_of_the_reference() {
    let files = files();
    let index = &files.iter().find(|file| file.path == "2026-10/search.json").expect("the index").bytes;
    let entries: Vec<BTreeMap<String, String>> = serde_json::from_slice(index).expect("a list of places");
    let find = |title: &str| entries.iter().find(|entry| entry["title"] == title).expect("a place");
    assert_eq!(find("Errors: Kinds")["at"], "2026-10/errors.html#kinds");
    assert_eq!(find("Errors: Kinds")["text"].split_whitespace().collect::<Vec<_>>(), ["Of", "one", "or", "two."]);
    assert_eq!(find("Book.old")["at"], "2026-10/Book.html#Book.old");
    assert_eq!(find("Book.old")["text"], "Old.");
    let pages = pages(&files);
    for entry in &entries {
        let (page, id) = entry["at"].split_once('#').expect("a place on a page");
        assert!(attributes(pages[page], "id").iter().any(|known| known == id), "{entry:?}");
    }
}

#[test]
fn site_has_every_page_and_is_the_same_every_time() {
    assert_eq!(files(), files());
    let paths: BTreeSet<String> = files().into_iter().map(|file| file.path).collect();
    let site = ["index.html", "changelog.html", "changelog.json", "changelog.md", "llms.txt", "style.css", "search.js"];
    let mut expected = BTreeSet::from(site.map(str::to_owned));
    for version in ["2026-10", "2027-01"] {
        let ends = [".html", "/reference.md", "/search.json", "/BOOK_ADD.schema.json"];
        expected.extend(ends.map(|end| [version, end].concat()));
        expected.extend(["/first.html", "/first.md", "/errors.html", "/errors.md"].map(|end| [version, end].concat()));
        let types =
            "Any Book BookConnection BookEdge Change Day DeepInput Directives Node Odd PageInfo Query State WhereInput";
        expected.extend(types.split(' ').map(|ty| format!("{version}/{ty}.html")));
    }
    assert_eq!(paths, expected);
}

#[test]
fn page_shows_status_deprecations_limits_and_changes() {
    let files = files();
    let pages = pages(&files);
    let html = pages["2027-01.html"];
    assert!(html.contains("Candidate: not published yet"));
    assert!(pages["2027-01/Book.html"].contains("<strong>Deprecated.</strong>"));
    assert!(html.contains("<li><a href=\"2027-01/State.html#State.OLD\"><code>State.OLD</code></a> <p>Gone.</p>"));
    assert!(html.contains("<li><a href=\"2027-01/Book.html#Book\"><code>Book</code></a> A book.</li>"));
    assert!(pages["2027-01/WhereInput.html"].contains("<mark>At most 5 &lt;items&gt;.</mark>"));
    assert!(html.contains("<h2 id=\"part-changes\">Since 2026-10</h2>"));
    let gone = "Field <a href=\"2026-10/Book.html#Book.state\"><code>Book.state</code></a> was removed.";
    let fresh = "Field <a href=\"2027-01/Book.html#Book.fresh\"><code>Book.fresh</code></a> was added.";
    for page in [html, pages["changelog.html"]] {
        assert!(page.contains(gone) && page.contains(fresh), "{page}");
    }
    let headings: Vec<&str> = pages["changelog.html"].split("<h2 id=\"").skip(1).collect();
    let [published, candidate] = headings[..] else { panic!("{headings:?}") };
    assert!(published.starts_with("2026-10\"") && published.contains("<time datetime=\"2026-10-01\">"), "{published}");
    assert!(candidate.starts_with("2027-01\"") && candidate.contains(", not published yet</h2>"), "{candidate}");
    let input = pages["2026-10/WhereInput.html"];
    assert!(input.contains("default <code>DRAFT</code>") && input.contains("<span class=\"fact\">required</span>"));
    assert!(input.contains("<a href=\"State.html#State\"><code>State</code></a>"), "{input}");
}

#[test]
fn example_selects_only_what_is_needed() {
    let [old, _] = sdls();
    let examples = examples(&old, SERVICE.id);
    let names: Vec<&str> = examples.iter().map(|example| &*example.coordinate).collect();
    assert_eq!(names, ["Query.node", "Query.books", "Query.find", "Change.drop"], "none of what is deprecated");
    let books = "query Books($first: Int) {\n  books(first: $first) {\n    nodes {\n      id\n      day\n      page {";
    assert!(examples[1].operation.starts_with(books), "{}", examples[1].operation);
    assert!(!examples[1].operation.contains("old") && !examples[1].operation.contains("edges"));
    let find =
        "{\n  \"where\": {\n    \"text\": \"text-1\",\n    \"deep\": {\n      \"days\": [\"value\"]\n    }\n  }\n}";
    assert_eq!(examples[2].variables.as_deref(), Some(find));
    assert!(examples[3].variables.as_deref().unwrap().contains("\"id:Book\""));
    for example in &examples {
        cynic_parser::parse_executable_document(&example.operation).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn example_of_an_input_with_a_list_of_itself_ends() {
    let source = "type Query { a(by: A!): Int } input A { in: [A!]! }";
    let sdl = Sdl::parse("a", "a.graphql", source).unwrap_or_else(|report| panic!("{report}"));
    let variables = examples(&sdl, SERVICE.id).swap_remove(0).variables.expect("variables");
    assert!(variables.contains("\"in\": []"), "{variables}");
}
