//! Facts that the operating system reports about this process and its disk.
//!
//! Read by the checks, and by `/metrics` at each scrape. Source: proc(5).

use std::fs;
use std::io;
use std::path::Path;

/// The clock ticks of `/proc/self/stat` in a second: a constant of Linux (`USER_HZ`).
const TICKS_PER_SECOND: f64 = 100.0;

/// The resources that this process uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProcessUse {
    /// Physical memory, in bytes.
    pub resident_bytes: u64,
    /// Open file descriptors.
    pub open_files: u64,
    /// The limit of open file descriptors.
    pub open_files_max: u64,
    /// Processor time since the start, in user and system mode.
    pub cpu_seconds: f64,
    /// The start of the process, in Unix time.
    pub started_at_seconds: f64,
}

impl ProcessUse {
    /// Reads the use of this process; `None` where there is no `/proc`.
    pub fn read() -> Option<Self> {
        let text = |path: &str| fs::read_to_string(path).ok();
        let number = |text: &str, name: &str| -> Option<u64> {
            text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
        };
        let stat = text("/proc/self/stat")?;
        // Fields are counted after the name of the program, which may contain spaces: the state is the first.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let seconds = |field: usize| Some(fields.get(field)?.parse::<f64>().ok()? / TICKS_PER_SECOND);
        let booted_at = number(&text("/proc/stat")?, "btime")? as f64;
        Some(Self {
            resident_bytes: number(&text("/proc/self/status")?, "VmRSS:")? * 1_024,
            open_files: fs::read_dir("/proc/self/fd").ok()?.count() as u64,
            open_files_max: number(&text("/proc/self/limits")?, "Max open files")?,
            cpu_seconds: seconds(11)? + seconds(12)?,
            started_at_seconds: booted_at + seconds(19)?,
        })
    }
}

/// Returns how many bytes of the disk of this path a process without privileges may still write.
pub fn disk_free_bytes(path: &Path) -> io::Result<u64> {
    let found = rustix::fs::statvfs(path)?;
    Ok(found.f_bavail.saturating_mul(found.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn use_of_this_process_is_plausible() {
        let first = ProcessUse::read().expect("there is /proc");
        assert!(first.resident_bytes > 100_000 && first.open_files > 2, "{first:?}");
        assert!(first.open_files_max >= first.open_files, "{first:?}");
        assert!(first.started_at_seconds > 1_700_000_000.0, "{first:?}");
        let file = fs::File::open("/proc/self/stat").expect("a file");
        let with_file = ProcessUse::read().expect("there is /proc");
        assert!(with_file.open_files >= 1 && with_file.cpu_seconds >= first.cpu_seconds, "{with_file:?}");
        drop(file);
    }

    #[test]
    fn free_space_is_that_of_a_disk_that_exists() {
        assert!(disk_free_bytes(Path::new("/")).expect("the root is a disk") > 0);
        assert!(disk_free_bytes(Path::new("/no/such/folder")).is_err());
    }
}
