//! The limits of a decoder process, which it sets before it reads the photo.

use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};

use crate::base::limits;

/// Limits the memory and processor time of this process, and forbids opening files and sockets, writing files and core
/// dumps.
pub(super) fn restrict() -> io::Result<()> {
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
