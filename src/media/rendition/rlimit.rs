//! The limits of a decoder process, which it sets for itself before it reads a byte of the photo.

use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};

use crate::base::limits;

/// Limits the memory and the processor time of this process, and takes away its leave to open files and sockets, to write
/// into files and to leave a core dump.
pub(super) fn restrict() -> io::Result<()> {
    let cpu_seconds = limits::DECODING_CPU.as_secs();
    let bounds = [
        // The first number ends the process with SIGXCPU, by which its parent knows what happened; the second kills it.
        (Resource::Cpu, cpu_seconds, cpu_seconds + 1),
        (Resource::Nofile, 0, 0),
        (Resource::Fsize, 0, 0),
        (Resource::Core, 0, 0),
        #[cfg(target_os = "linux")] // elsewhere the kernel does not count it
        (Resource::As, limits::DECODING_MEMORY_BYTES_MAX, limits::DECODING_MEMORY_BYTES_MAX),
    ];
    for (resource, current, maximum) in bounds {
        setrlimit(resource, Rlimit { current: Some(current), maximum: Some(maximum) })?;
    }
    Ok(())
}
