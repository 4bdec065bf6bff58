//! The tasks of the decoder process, and its output.
//!
//! The output on stdout: one byte for success or the error; then width and height of the first picture; then each picture
//! after its length. Numbers have 4 bytes, big endian.

use std::io::{self, Read as _, Write as _};
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::thread::{Builder, JoinHandle};

use bytes::Bytes;
use rustix::process::{Resource, Rlimit, setrlimit};

use super::decode::{Reencoded, Renditions, decode, make_renditions};
use super::drawing::draw;
use super::{RenderError, jpeg};
use crate::base::{limits, text_enum};
use crate::model::PixelSize;

/// A task of the decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// The renditions.
    Renditions,
    /// The renditions and the re-encoded photo.
    Reencode,
    /// The picture of an SVG.
    Draw,
}

text_enum!(Task { Renditions => "renditions", Reencode => "take-in", Draw => "draw" });

impl Task {
    /// Decodes a photo, or draws an SVG, in this process.
    pub(super) fn run(self, input: &[u8]) -> Result<Pictures, RenderError> {
        match self {
            Task::Renditions => {
                let picture = decode(input, limits::SCREEN_SIDE_PIXELS_MAX)?;
                Ok(Pictures::from_renditions(make_renditions(picture)))
            }
            Task::Reencode => {
                let picture = decode(input, limits::REENCODED_SIDE_PIXELS_MAX)?;
                let photo = jpeg::encode(&picture, limits::REENCODED_QUALITY);
                let mut pictures = Pictures::from_renditions(make_renditions(picture));
                pictures.jpegs.push(photo);
                Ok(pictures)
            }
            Task::Draw => draw(input).map(|(size, picture)| Pictures { size, jpegs: vec![picture] }),
        }
    }
}

/// The decoder process: reads a photo on stdin and writes the output to stdout. Called by the command line.
pub fn decode_stdin(task: Task) -> ExitCode {
    // The stack of a thread is in memory before the process limits itself. The main thread's stack would grow beyond the limit.
    let thread = Builder::new().stack_size(limits::DECODING_STACK_BYTES).spawn(move || answer(task));
    match thread.map(JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Err(panic)) => resume_unwind(panic),
        Ok(Ok(Err(_))) | Err(_) => ExitCode::FAILURE, // its stderr is discarded
    }
}

fn answer(task: Task) -> io::Result<()> {
    restrict()?;
    let mut photo = Vec::new();
    io::stdin().lock().take(limits::PHOTO_BYTES_MAX as u64).read_to_end(&mut photo)?;
    let mut stdout = io::stdout().lock();
    stdout.write_all(&Pictures::write(&task.run(&photo)))?;
    stdout.flush()
}

/// The pictures that a task makes.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Pictures {
    /// The size of the first one.
    size: PixelSize,
    /// The picture of an SVG; or the renditions, and then the re-encoded photo if the task makes it.
    jpegs: Vec<Bytes>,
}

/// The most pictures that a task makes.
const PICTURES_MAX: usize = 4;

impl Pictures {
    fn from_renditions(Renditions { screen, screen_size, phone, preview }: Renditions) -> Self {
        Self { size: screen_size, jpegs: vec![screen, phone, preview] }
    }

    /// The result for a fetched photo.
    pub(super) fn renditions(self) -> Option<Renditions> {
        let [screen, phone, preview] = <[Bytes; 3]>::try_from(self.jpegs).ok()?;
        Some(Renditions { screen, screen_size: self.size, phone, preview })
    }

    /// The result for an uploaded photo.
    pub(super) fn into_reencoded(self) -> Option<Reencoded> {
        let [screen, phone, preview, photo] = <[Bytes; 4]>::try_from(self.jpegs).ok()?;
        Some(Reencoded { photo, renditions: Renditions { screen, screen_size: self.size, phone, preview } })
    }

    /// The result for an SVG.
    pub(super) fn into_drawing(self) -> Option<Bytes> {
        <[Bytes; 1]>::try_from(self.jpegs).ok().map(|[picture]| picture)
    }

    fn write(outcome: &Result<Self, RenderError>) -> Vec<u8> {
        let made = match outcome {
            Ok(made) => made,
            Err(error) => return vec![error.code()],
        };
        let mut bytes = vec![0];
        bytes.extend(made.size.width.to_be_bytes());
        bytes.extend(made.size.height.to_be_bytes());
        for picture in &made.jpegs {
            // The largest picture has fewer bytes than a number of this width.
            bytes.extend((picture.len() as u32).to_be_bytes());
            bytes.extend(picture);
        }
        bytes
    }

    /// Parses an output; `None` if it is malformed.
    pub(super) fn read(bytes: &[u8]) -> Option<Result<Self, RenderError>> {
        let (&code, mut rest) = bytes.split_first()?;
        if code != 0 {
            return rest.is_empty().then(|| RenderError::of_code(code)).flatten().map(Err);
        }
        let size = PixelSize { width: number(&mut rest)?, height: number(&mut rest)? };
        let mut jpegs = vec![picture(&mut rest)?];
        while !rest.is_empty() && jpegs.len() < PICTURES_MAX {
            jpegs.push(picture(&mut rest)?);
        }
        let sides = 1..=limits::SCREEN_SIDE_PIXELS_MAX;
        let is_whole = rest.is_empty() && sides.contains(&size.width) && sides.contains(&size.height);
        is_whole.then_some(Ok(Self { size, jpegs }))
    }
}

fn number(bytes: &mut &[u8]) -> Option<u32> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    *bytes = rest;
    Some(u32::from_be_bytes(*number))
}

/// A JPEG; anything else is malformed.
fn picture(bytes: &mut &[u8]) -> Option<Bytes> {
    let length = usize::try_from(number(bytes)?).ok()?;
    let (picture, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    picture.starts_with(b"\xFF\xD8\xFF").then(|| Bytes::copy_from_slice(picture))
}

impl RenderError {
    /// The code in an output, where 0 means pictures.
    const fn code(self) -> u8 {
        match self {
            RenderError::Format => 1,
            RenderError::Unreadable => 2,
            RenderError::TooManyPixels => 3,
            RenderError::Busy | RenderError::TimeOut => 4,
        }
    }

    fn of_code(code: u8) -> Option<Self> {
        let all = [RenderError::Format, RenderError::Unreadable, RenderError::TooManyPixels, RenderError::TimeOut];
        all.into_iter().find(|error| error.code() == code)
    }
}

/// Limits the memory and processor time of this process, and forbids opening files and sockets, writing files and core
/// dumps.
fn restrict() -> io::Result<()> {
    let cpu_seconds = limits::DECODING_CPU.as_secs();
    let bounds = [
        // The soft limit ends the process with SIGXCPU, which its parent recognises; the hard limit kills it.
        (Resource::Cpu, cpu_seconds, cpu_seconds + 1),
        (Resource::Nofile, 0, 0),
        (Resource::Fsize, 0, 0),
        (Resource::Core, 0, 0),
        #[cfg(target_os = "linux")] // other kernels do not count it
        (Resource::As, limits::DECODING_MEMORY_BYTES_MAX, limits::DECODING_MEMORY_BYTES_MAX),
    ];
    for (resource, current, maximum) in bounds {
        setrlimit(resource, Rlimit { current: Some(current), maximum: Some(maximum) })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_is_read_as_it_was_written_and_nothing_else_is() {
        let jpeg = |content: &[u8]| Bytes::from([b"\xFF\xD8\xFF", content].concat());
        let size = PixelSize { width: 1_400, height: 7 };
        let jpegs = [jpeg(b"screen"), jpeg(b"phone"), jpeg(b""), jpeg(b"photo")];
        for count in 1..=jpegs.len() {
            let made = Pictures { size, jpegs: jpegs[..count].to_vec() };
            let written = Pictures::write(&Ok(made.clone()));
            assert!(Pictures::read(&written) == Some(Ok(made)));
            for length in 0..written.len() {
                // Without its last picture it is the output of another task.
                let read = Pictures::read(&written[..length]);
                assert!(read.is_none_or(|read| read.is_ok_and(|read| read.jpegs.len() < count)), "cut to {length}");
            }
            assert!(Pictures::read(&[&written[..], b"x"].concat()).is_none());
        }
        for error in (1..=4).filter_map(RenderError::of_code) {
            assert!(Pictures::read(&Pictures::write(&Err(error))) == Some(Err(error)));
        }
        for bytes in [&b""[..], b"\x05", b"\x02x", b"\0", b"nonsense"] {
            assert!(Pictures::read(bytes).is_none(), "{bytes:?}");
        }
    }
}
