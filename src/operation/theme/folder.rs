//! Reads folders of themes into memory and checks them as a whole, before anything is imported.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::manifest::{self, Manifest, Mistake, Report};
use super::picture;
use crate::base::limits::THEME_IMAGE_BYTES_MAX;
use crate::base::{HttpUrl, lower_hex};

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
    #[error("There is no theme in {}: it holds no {MANIFEST}, and no folder that does.", .0.display())]
    NoTheme(PathBuf),
    #[error("Nothing was imported. {} to mend:\n{}", counted(.0.len()), listed(.0))]
    Mistakes(Vec<Mistake>),
}

fn counted(mistakes: usize) -> String {
    if mistakes == 1 { "There is 1 mistake".to_owned() } else { format!("There are {mistakes} mistakes") }
}

fn listed(mistakes: &[Mistake]) -> String {
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
        match read.and_then(|bytes| picture::check_content(file, &bytes).map(|()| bytes)) {
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
