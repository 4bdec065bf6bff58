//! Decodes a photo in a separate process: this program with a command that reads the photo on stdin and writes the
//! pictures to stdout.
//!
//! Called by the renderer. A file that makes a decoder crash, loop or exhaust its memory ends only that process. The process
//! limits itself before it reads the first byte (`task.rs`), has an empty environment, and is killed when it takes too
//! long or its caller goes away.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

use super::RenderError;
use super::task::{Pictures, Task};
use crate::base::{ErrorChain, limits};

/// The command that decodes a photo, hidden from the help.
const DECODE_COMMAND: &str = "decode-photo";

/// The exit code after a panic.
const PANICKED: i32 = 101;

// Signal numbers, which are the same on every Unix that Rust supports, except SIGBUS.
const SIGILL: i32 = 4;
const SIGABRT: i32 = 6;
const SIGSEGV: i32 = 11;
const SIGXCPU: i32 = 24;

/// How the decoder is started.
#[derive(Clone, Debug)]
pub struct DecoderProgram {
    program: PathBuf,
    arguments: Vec<OsString>,
    time_max: Duration,
}

impl DecoderProgram {
    /// A file of this program, run with the command `decode-photo`.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), arguments: vec![DECODE_COMMAND.into()], time_max: limits::DECODING }
    }

    /// The running program, even if an update has replaced its file.
    pub fn current() -> Self {
        let running = PathBuf::from("/proc/self/exe"); // Linux
        Self::new(if running.exists() { running } else { std::env::current_exe().unwrap_or(running) })
    }

    /// Decodes one photo.
    pub(super) async fn run(&self, task: Task, photo: &[u8]) -> Result<Pictures, RenderError> {
        let done = tokio::time::timeout(self.time_max, self.converse(task, photo)).await;
        let (status, answer) = match done {
            Ok(Ok(ended)) => ended,
            Ok(Err(error)) => {
                tracing::error!(error = %ErrorChain(&error), "the decoder of photos cannot be run");
                return Err(RenderError::TimeOut);
            }
            Err(_) => {
                tracing::warn!(bytes = photo.len(), "a photo took too long to decode, and its decoder was killed");
                return Err(RenderError::TimeOut);
            }
        };
        if status.success() {
            return Pictures::read(&answer).unwrap_or_else(|| {
                tracing::error!(bytes = answer.len(), "the decoder of photos gave an answer that cannot be read");
                Err(RenderError::TimeOut)
            });
        }
        tracing::warn!(bytes = photo.len(), %status, "the decoder of a photo ended before its answer");
        Err(ended_early(status))
    }

    /// Writes the photo and reads the answer. Dropping this kills the process.
    async fn converse(&self, task: Task, photo: &[u8]) -> io::Result<(ExitStatus, Vec<u8>)> {
        let mut process = Command::new(&self.program)
            .args(&self.arguments)
            .arg(task.as_str())
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0) // Ctrl-C at a terminal is for the server, which finishes its requests
            .kill_on_drop(true)
            .spawn()?;
        let (mut stdin, stdout) = (process.stdin.take(), process.stdout.take());
        if let Some(stdin) = &mut stdin {
            // An early exit is explained by the exit status.
            let _ = stdin.write_all(photo).await;
        }
        drop(stdin);
        let mut answer = Vec::new();
        if let Some(stdout) = stdout {
            stdout.take(limits::DECODED_ANSWER_BYTES_MAX).read_to_end(&mut answer).await?;
        }
        Ok((process.wait().await?, answer))
    }
}

/// The error that the end of a decoder means. If something else ended it (a host that stops, the kernel without memory), the
/// photo is not at fault.
fn ended_early(status: ExitStatus) -> RenderError {
    match (status.code(), status.signal()) {
        (Some(PANICKED), _) | (_, Some(SIGILL | SIGSEGV)) => RenderError::Unreadable,
        // Out of its memory or processor time.
        (_, Some(SIGABRT | SIGXCPU)) => RenderError::TooManyPixels,
        _ => RenderError::TimeOut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A decoder that runs a shell command.
    fn shell(line: &str) -> DecoderProgram {
        let arguments = vec!["-c".into(), line.into()];
        DecoderProgram { program: "/bin/sh".into(), arguments, time_max: Duration::from_secs(5) }
    }

    #[tokio::test]
    async fn decoder_that_takes_too_long_is_killed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("pid");
        let slow = DecoderProgram {
            time_max: Duration::from_millis(500),
            ..shell(&format!("echo $$ > {}; exec sleep 60", file.display()))
        };
        assert_eq!(slow.run(Task::Renditions, b"photo").await.err(), Some(RenderError::TimeOut));
        let pid = std::fs::read_to_string(&file).expect("it was started");
        let stat = format!("/proc/{}/stat", pid.trim());
        for _ in 0..500 {
            // Gone, or a zombie.
            match std::fs::read_to_string(&stat) {
                Ok(stat) if !stat.contains(") Z ") => tokio::time::sleep(Duration::from_millis(10)).await,
                _ => return,
            }
        }
        panic!("the decoder goes on");
    }

    #[tokio::test]
    async fn end_of_a_decoder_is_the_photos_fault_only_where_it_must_be() {
        for (line, expected) in [
            ("exit 101", RenderError::Unreadable),
            ("kill -SEGV $$", RenderError::Unreadable),
            ("kill -ABRT $$", RenderError::TooManyPixels),
            ("kill -XCPU $$", RenderError::TooManyPixels),
            ("kill -TERM $$", RenderError::TimeOut),
            ("kill -KILL $$", RenderError::TimeOut),
            ("exit 1", RenderError::TimeOut),
            ("cat > /dev/null; echo nonsense", RenderError::TimeOut),
            ("true", RenderError::TimeOut),
        ] {
            // More than the buffer of a pipe, so that the write of the photo does not end.
            assert_eq!(shell(line).run(Task::Renditions, &[0; 1_000_000]).await.err(), Some(expected), "{line}");
        }
        let missing = DecoderProgram::new("/nowhere/card-service");
        assert_eq!(missing.run(Task::Renditions, b"photo").await.err(), Some(RenderError::TimeOut));
    }
}
