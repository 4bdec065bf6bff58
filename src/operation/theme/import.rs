//! Imports themes: pictures into the object store first, then the row that names them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::manifest;
use super::manifest::{Manifest, Mistake, Report};
use crate::base::limits::THEME_IMAGE_BYTES_MAX;
use crate::base::{HttpUrl, Progress, Step, lower_hex, text_enum};
use crate::media::PhotoFormat;
use crate::model::{Theme, ThemeImage};
use crate::operation::Failure;
use crate::services::Services;

/// The effect of an import on a theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Added,
    Changed,
    Unchanged,
}

text_enum!(Outcome { Added => "added", Changed => "changed", Unchanged => "unchanged" });

/// An imported theme.
#[derive(Clone, Debug)]
pub(crate) struct ImportedTheme {
    pub theme: Theme,
    pub outcome: Outcome,
}

/// Imports themes by their handles. A new theme is added; a known one gets the values of the draft and keeps its id.
///
/// A repeated import changes nothing, so an interrupted import can be repeated.
pub(crate) async fn import(
    services: &Services,
    drafts: Vec<ThemeDraft>,
    progress: &Progress,
) -> Result<Vec<ImportedTheme>, Failure> {
    let (count, mut imported) = (progress.begin(Step::ImportThemes, Some(drafts.len())), Vec::new());
    for draft in drafts {
        for image in &draft.images {
            services.media.put(&format!("theme/{}", image.key), image.bytes.clone()).await?;
        }
        imported.push(put(services, draft).await?);
        count.add(1);
    }
    Ok(imported)
}

async fn put(services: &Services, draft: ThemeDraft) -> Result<ImportedTheme, Failure> {
    let stored = services.store.theme_by_handle(&draft.handle).await?;
    let (id, number) = match &stored {
        Some(theme) => (theme.id, theme.number),
        None => (services.entropy.uuid(services.clock.now()), 0), // the store gives a new theme its number
    };
    let images = draft.images.into_iter();
    let wanted = Theme {
        id,
        number,
        handle: draft.handle,
        title: draft.title,
        description: draft.description,
        images: images.map(|image| ThemeImage { key: image.key, alt_text: image.alt_text }).collect(),
        videos: draft.videos,
        demo_url: draft.demo_url,
        position: draft.position,
    };
    let outcome = match stored {
        Some(theme) if theme == wanted => return Ok(ImportedTheme { theme, outcome: Outcome::Unchanged }),
        Some(_) => Outcome::Changed,
        None => Outcome::Added,
    };
    Ok(ImportedTheme { theme: services.store.put_theme(wanted).await?, outcome })
}

const MANIFEST: &str = "theme.toml";

/// A valid theme.
#[derive(Clone, Debug)]
pub(crate) struct ThemeDraft {
    pub(super) handle: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) position: i64,
    pub(super) images: Vec<ImageDraft>,
    pub(super) videos: Vec<HttpUrl>,
    pub(super) demo_url: Option<HttpUrl>,
}

/// A picture of a theme with its content.
#[derive(Clone, Debug)]
pub(super) struct ImageDraft {
    /// The key below `theme/`, with a digest of the content, so that a URL never shows another picture.
    pub key: String,
    pub alt_text: Option<String>,
    pub bytes: Bytes,
}

/// A theme that is part of the binary: the name of its folder, and its files by name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BundledTheme {
    pub name: &'static str,
    pub files: &'static [(&'static str, &'static [u8])],
}

/// Why no theme was read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadThemesError {
    #[error("The folder {} could not be read.", .0.display())]
    Unreadable(PathBuf, #[source] io::Error),
    #[error("There is no theme in {}: it holds no {MANIFEST}, and no folder with one.", .0.display())]
    NoTheme(PathBuf),
    #[error("Nothing was imported. {} to mend:\n{}", write_count(.0.len()), list_mistakes(.0))]
    Mistakes(Vec<Mistake>),
}

fn write_count(mistakes: usize) -> String {
    if mistakes == 1 { "There is 1 mistake".to_owned() } else { format!("There are {mistakes} mistakes") }
}

fn list_mistakes(mistakes: &[Mistake]) -> String {
    mistakes.iter().map(|mistake| format!("  {mistake}")).collect::<Vec<_>>().join("\n")
}

/// Reads the themes of a folder: its sub-folders, or the folder itself if it has a `theme.toml`.
pub(crate) fn read_folder(folder: &Path) -> Result<Vec<ThemeDraft>, ReadThemesError> {
    let unreadable = |error| ReadThemesError::Unreadable(folder.to_owned(), error);
    if folder.join(MANIFEST).is_file() {
        return read_all(&[Source::Folder(folder.to_owned())]);
    }
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !hidden && entry.path().is_dir() {
            folders.push(entry.path());
        }
    }
    folders.sort();
    if folders.is_empty() {
        return Err(ReadThemesError::NoTheme(folder.to_owned()));
    }
    read_all(&folders.into_iter().map(Source::Folder).collect::<Vec<_>>())
}

/// Reads bundled themes.
pub(crate) fn read_bundled(themes: &[BundledTheme]) -> Result<Vec<ThemeDraft>, ReadThemesError> {
    read_all(&themes.iter().copied().map(Source::Bundled).collect::<Vec<_>>())
}

/// The source of a theme's files.
enum Source {
    Folder(PathBuf),
    Bundled(BundledTheme),
}

impl Source {
    /// The path of a file for messages.
    fn path(&self, file: &str) -> String {
        match self {
            Source::Folder(folder) => folder.join(file).display().to_string(),
            Source::Bundled(theme) => format!("{}/{file}", theme.name),
        }
    }

    fn read(&self, file: &str) -> io::Result<Bytes> {
        match self {
            Source::Folder(folder) => {
                let path = folder.join(file);
                let about = fs::metadata(&path)?;
                if !about.is_file() {
                    return Err(io::Error::other("it is not a file"));
                }
                if about.len() > THEME_IMAGE_BYTES_MAX as u64 {
                    return Err(io::Error::other(format!("it has more than {THEME_IMAGE_BYTES_MAX} bytes")));
                }
                fs::read(path).map(Bytes::from)
            }
            Source::Bundled(theme) => {
                let found = theme.files.iter().find(|(name, _)| *name == file);
                found.map(|(_, bytes)| Bytes::from_static(bytes)).ok_or_else(|| io::ErrorKind::NotFound.into())
            }
        }
    }
}

fn read_all(sources: &[Source]) -> Result<Vec<ThemeDraft>, ReadThemesError> {
    let mut themes: Vec<ThemeDraft> = Vec::new();
    let mut mistakes = Vec::new();
    let mut seen: HashMap<String, String> = HashMap::new();
    for source in sources {
        let path = source.path(MANIFEST);
        let Some(text) = read_manifest(source, &path, &mut mistakes) else { continue };
        let mut report = Report::new(&path, &text);
        let manifest = manifest::read(&mut report);
        let images = read_images(source, &manifest, &mut report);
        if let Some(first) = seen.get(&manifest.handle).filter(|_| !manifest.handle.is_empty()) {
            let message = format!("\"{}\" is the handle of {first} as well.", manifest.handle);
            report.add(0..0, "handle".to_owned(), message);
        }
        mistakes.append(&mut report.mistakes);
        seen.insert(manifest.handle.clone(), path);
        themes.push(draft(manifest, images));
    }
    // New themes get their numbers in the order of the list.
    themes.sort_by(|a, b| (a.position, &a.handle).cmp(&(b.position, &b.handle)));
    if mistakes.is_empty() { Ok(themes) } else { Err(ReadThemesError::Mistakes(mistakes)) }
}

fn read_manifest(source: &Source, path: &str, mistakes: &mut Vec<Mistake>) -> Option<String> {
    let message = match source.read(MANIFEST).map(|bytes| String::from_utf8(bytes.into())) {
        Ok(Ok(text)) => return Some(text),
        Ok(Err(_)) => "this file is not in UTF-8.".to_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => "this file is missing.".to_owned(),
        Err(error) => format!("this file could not be read: {error}."),
    };
    mistakes.push(Mistake { file: path.to_owned(), line: None, field: None, message });
    None
}

fn read_images(source: &Source, manifest: &Manifest, report: &mut Report<'_>) -> Vec<ImageDraft> {
    let mut images = Vec::new();
    for (i, named) in manifest.images.iter().enumerate() {
        let (file, handle) = (&named.file, &manifest.handle);
        let read = source.read(file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => format!("there is no file \"{file}\" in the folder of the theme."),
            _ => format!("\"{file}\" could not be read: {error}."),
        });
        match read.and_then(|bytes| check_content(file, &bytes).map(|()| bytes)) {
            Ok(bytes) => {
                let key = format!("{handle}/{}-{file}", short_digest(&bytes));
                images.push(ImageDraft { key, alt_text: named.alt.clone(), bytes });
            }
            Err(message) => report.add(named.span.clone(), format!("images[{i}].file"), message),
        }
    }
    images
}

/// The first 16 hexadecimal digits of the SHA-256.
fn short_digest(bytes: &[u8]) -> String {
    lower_hex(&Sha256::digest(bytes)[..8])
}

fn draft(manifest: Manifest, images: Vec<ImageDraft>) -> ThemeDraft {
    let Manifest { handle, title, description, position, images: _, videos, demo_url } = manifest;
    ThemeDraft { handle, title, description, position, images, videos, demo_url }
}

/// Elements that an SVG must not contain, because they run scripts or fetch resources in the browser.
const ACTIVE_SVG: &[&str] = &["<script", "<foreignobject", "<iframe", "javascript:", "<!entity", "@import"];

/// Whether a file name is valid in a URL and has the extension of a format that browsers show.
pub(super) fn check_name(file: &str) -> Result<(), String> {
    let plain = file.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    if !plain || file.starts_with(['.', '-']) {
        return Err(format!(
            "\"{file}\" is not a plain file name: use letters, digits, dots, hyphens and underscores, without a folder."
        ));
    }
    match extension(file) {
        "svg" | "png" | "jpeg" | "jpg" | "webp" | "gif" => Ok(()),
        _ => Err(format!("\"{file}\" does not end in .svg, .png, .jpeg, .jpg, .webp or .gif.")),
    }
}

/// Whether the content has the format of the extension.
pub(in crate::operation) fn check_content(file: &str, bytes: &[u8]) -> Result<(), String> {
    if bytes.len() > THEME_IMAGE_BYTES_MAX {
        let size = bytes.len();
        return Err(format!("\"{file}\" has {size} bytes; the most is {THEME_IMAGE_BYTES_MAX}."));
    }
    let promised = match extension(file) {
        "svg" => return check_svg(file, bytes),
        "png" => PhotoFormat::Png,
        "webp" => PhotoFormat::Webp,
        "gif" => PhotoFormat::Gif,
        _ => PhotoFormat::Jpeg,
    };
    if PhotoFormat::sniff(bytes) == Some(promised) {
        Ok(())
    } else {
        Err(format!("\"{file}\" is not a .{} picture inside.", promised.extension()))
    }
}

fn check_svg(file: &str, bytes: &[u8]) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(format!("\"{file}\" is not an SVG drawing in UTF-8."));
    };
    let text = text.trim_start_matches('\u{feff}').trim_start().to_ascii_lowercase();
    if !text.starts_with('<') || !text.contains("<svg") || !text.trim_end().ends_with("</svg>") {
        return Err(format!("\"{file}\" is not an SVG drawing."));
    }
    let active = ACTIVE_SVG.iter().copied().find(|part| text.contains(part));
    match active.or_else(|| has_handler(&text).then_some("an event handler")) {
        Some(part) => Err(format!("\"{file}\" holds {part}; a drawing may not run or fetch anything.")),
        None if fetches(&text) => {
            Err(format!("\"{file}\" refers to another address; a drawing must be self-contained."))
        }
        None => Ok(()),
    }
}

/// Whether the drawing has an event attribute such as `onload=`.
fn has_handler(text: &str) -> bool {
    text.match_indices("on").any(|(at, _)| {
        let begins = text[..at].ends_with([' ', '\n', '\t', '\r', '"', '\'', '/']);
        let rest = text[at + 2..].trim_start_matches(|c: char| c.is_ascii_lowercase());
        begins && rest.len() < text.len() - at - 2 && rest.trim_start().starts_with('=')
    })
}

/// Whether a reference leaves the drawing. `href` and `url()` may name a part of it, or contain a photo.
fn fetches(text: &str) -> bool {
    let inside = ["#", "data:image/png", "data:image/jpeg", "data:image/webp", "data:image/gif"];
    let out = |after: &str| {
        let address = after.trim_start_matches(['"', '\'', ' ']);
        !inside.iter().any(|begin| address.starts_with(begin))
    };
    let href = text
        .match_indices("href")
        .any(|(at, _)| text[at + 4..].trim_start().strip_prefix('=').is_some_and(|value| out(value.trim_start())));
    href || text.match_indices("url(").any(|(at, _)| out(&text[at + 4..]))
}

fn extension(file: &str) -> &str {
    file.rsplit_once('.').map_or("", |(_, extension)| extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(inside: &str) -> Result<(), String> {
        check_content("a.svg", format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{inside}</svg>\n").as_bytes())
    }

    #[test]
    fn self_contained_drawing_is_accepted() {
        assert_eq!(svg("<path fill=\"url(#a)\" d=\"M0 0\"/><use href=\"#b\"/><title>De zon op zee</title>"), Ok(()));
    }

    #[test]
    fn drawing_that_runs_or_fetches_something_is_refused() {
        for inside in [
            "<script>alert(1)</script>",
            "<SCRIPT/>",
            "<g onload=\"x()\"/>",
            "<g\nonclick = 'x()'/>",
            "<a href=\"https://example.org\"/>",
            "<a xlink:href='javascript:x()'/>",
            "<path fill=\"url(https://example.org/a)\"/>",
            "<foreignObject/>",
        ] {
            assert!(svg(inside).is_err(), "{inside}");
        }
    }

    #[test]
    fn name_with_a_folder_or_another_format_is_refused() {
        for file in ["../a.svg", "a/b.svg", ".a.svg", "a b.svg", "a.heic", "a", "a.svg.exe", "é.png"] {
            assert!(check_name(file).is_err(), "{file}");
        }
        for file in ["omslag.svg", "Foto_1-b.jpeg", "a.b.webp"] {
            assert_eq!(check_name(file), Ok(()), "{file}");
        }
    }

    #[test]
    fn content_that_differs_from_its_name_is_refused() {
        assert!(check_content("a.png", b"\xff\xd8\xff\xe0 a jpeg").is_err());
        assert!(check_content("a.svg", b"<html></html>").is_err());
        assert!(check_content("a.svg", &[0xff; 8]).is_err());
    }
}
