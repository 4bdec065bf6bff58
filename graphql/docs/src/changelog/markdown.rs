//! The changelog as Markdown.

use super::{Changelog, Entry};

/// Writes the changelog in Markdown: published versions, the newest first, and then candidates.
pub fn markdown(changelog: &Changelog<'_>) -> String {
    let mut text = String::from("# Changelog of the schema\n");
    changelog.published.iter().for_each(|published| text.push_str(&entry(published)));
    if !changelog.candidates.is_empty() {
        text.push_str("\n# Not published yet\n");
    }
    changelog.candidates.iter().for_each(|candidate| text.push_str(&entry(candidate)));
    text
}

fn entry(entry: &Entry<'_>) -> String {
    let (name, status) = (entry.version.sdl.version(), entry.version.status_text(str::to_owned));
    let mut text = format!("\n## {name}\n\n{status}\n");
    let Some(since) = entry.since else { return text + "The first version.\n" };
    text.push_str(&format!("Since {}:\n", since.version()));
    if entry.changes.is_empty() {
        text.push_str("\nNothing that a client can notice.\n");
    }
    for (title, changes) in entry.groups() {
        text.push_str(&format!("\n### {title}\n\n"));
        changes.iter().for_each(|change| text.push_str(&format!("- {}\n", change.text())));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::markdown;
    use crate::DatedSdl;
    use crate::changelog::Changelog;
    use dated_graphql_schema::Sdl;
    use dated_graphql_schema::VersionStatus;

    const SDLS: [(&str, &str); 4] = [
        ("2026-10", "\"A.\" type Query { a: Int b: Int }"),
        ("2027-01", "\"B.\" type Query { a: Int b: Int @deprecated(reason: \"Use `a`\") c(x: E): E } enum E { X }"),
        ("2027-04", "type Query { a: Int c(x: E): E } enum E { X Y }"),
        ("2027-07", "type Query { a: Int c(x: E): E } enum E { X Y }"),
    ];

    fn sdls() -> Vec<Sdl> {
        let parse = |(version, source): (&str, &str)| {
            Sdl::parse(version, &format!("schema/{version}.graphql"), source).expect(source)
        };
        SDLS.map(parse).into()
    }

    fn dated(sdls: &[Sdl]) -> Vec<DatedSdl<'_>> {
        let of = |(at, sdl): (usize, _)| match at {
            0 => DatedSdl {
                sdl,
                status: VersionStatus::Deprecated,
                published: Some("2026-10-01"),
                deprecated: Some("2027-02-01"),
                sunset: Some("2027-09-01"),
            },
            3 => DatedSdl { sdl, status: VersionStatus::Candidate, published: None, deprecated: None, sunset: None },
            _ => {
                let published = Some("2027-02-01");
                DatedSdl { sdl, status: VersionStatus::Current, published, deprecated: None, sunset: None }
            }
        };
        sdls.iter().enumerate().map(of).collect()
    }

    #[test]
    fn changelog_lists_published_versions_and_then_candidates() {
        let sdls = sdls();
        let expected = "\
# Changelog of the schema

## 2027-04

Current. Published on 2027-02-01.
Since 2027-01:

### What you must follow

- Field `Query.b` was removed. An operation that asks for the field is refused. 2027-01 deprecated it: Use `a`. Instead: `Query.a`.

### What you may have to follow

- Enum value `E.Y` was added. An answer can hold a value that a client does not know.

## 2027-01

Current. Published on 2027-02-01.
Since 2026-10:

### What is new

- `Query.b` is deprecated from now on. Use `a`. Instead: `Query.a`.
- Field `Query.c` was added.
- Enum `E` was added.

## 2026-10

Deprecated: move to a newer version. Published on 2026-10-01. Deprecated on 2027-02-01. Ends on 2027-09-01.
The first version.

# Not published yet

## 2027-07

Candidate: not published yet; it can still change.
Since 2027-04:

Nothing that a client can notice.
";
        assert_eq!(markdown(&Changelog::new(&dated(&sdls))), expected);
    }
}
