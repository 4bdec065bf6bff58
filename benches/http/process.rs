//! Processes on the first core, their processor time and their peak memory.

use std::fs::{read_to_string, write};
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

const POSTGRES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/.ci/postgres");

/// A listening process; stopped when dropped.
pub(crate) struct Process {
    child: Child,
    pub address: SocketAddr,
}

impl Process {
    /// Starts a server that prints its address on its first line.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the process starts");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped")).read_line(&mut line).expect("a line");
        let address = line.trim().rsplit_once("http://").and_then(|(_, address)| address.parse().ok());
        Self { address: address.unwrap_or_else(|| panic!("no address in {line:?}")), child }
    }

    /// Returns the user and system time, in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        times(self.child.id()).map_or(0.0, |(_, own, _)| own)
    }

    /// Forgets the peak of memory so far (proc_pid_clear_refs(5)).
    pub(crate) fn reset_peak(&self) {
        write(format!("/proc/{}/clear_refs", self.child.id()), "5").expect("the process runs");
    }

    /// Returns the peak of resident memory, in MB.
    pub(crate) fn peak_mb(&self) -> f64 {
        let status = read_to_string(format!("/proc/{}/status", self.child.id())).expect("the process runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a figure");
        line.trim().trim_end_matches(" kB").parse::<f64>().expect("a number") / 1024.0
    }

    /// Starts or ends the counting of a process that [`callgrind`] runs.
    pub(crate) fn set_counting(&self, counts: bool) {
        let state = if counts { "on" } else { "off" };
        let id = self.child.id().to_string();
        let done =
            Command::new("callgrind_control").arg(format!("--instr={state}")).arg(id).stdout(Stdio::null()).status();
        assert!(done.expect("callgrind_control runs").success());
    }
}

impl Drop for Process {
    /// Lets it end in order: callgrind and a build with counters write what they counted at the end.
    fn drop(&mut self) {
        let _ = kill_process(Pid::from_child(&self.child), Signal::TERM);
        let _ = self.child.wait();
    }
}

/// A PostgreSQL server with fsync, so that the processor time of all its processes can be counted; stopped when dropped.
pub(crate) struct Postgres {
    folder: TempDir,
    pub url: String,
    /// The process id of the postmaster, the parent of all processes of the server.
    id: u32,
}

impl Postgres {
    pub(crate) fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        let output = on_first_core("bash").args([POSTGRES, "start"]).arg(folder.path()).output().expect("bash runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let url = String::from_utf8(output.stdout).expect("text").trim().to_owned();
        let pid_file = read_to_string(folder.path().join("data/postmaster.pid"));
        let id = pid_file.ok().and_then(|text| text.lines().next()?.parse().ok()).expect("a process id");
        Self { folder, url, id }
    }

    /// Returns the user and system time of all processes, in seconds, with those that have ended.
    pub(crate) fn seconds(&self) -> f64 {
        let processes = std::fs::read_dir("/proc").expect("Linux");
        let processes = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
        let ours = processes.filter_map(|id| times(id).filter(|(parent, ..)| id == self.id || *parent == self.id));
        ours.map(|(_, own, ended)| own + ended).sum()
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = Command::new("bash").args([POSTGRES, "stop"]).arg(self.folder.path()).status();
    }
}

/// Returns a command that runs `program` on the first core.
pub(crate) fn on_first_core(program: &str) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", "0", program]);
    command
}

/// Returns a command that runs `program` under callgrind, which counts between two calls of [`Process::set_counting`], and
/// writes its counts to this file when the program ends.
pub(crate) fn callgrind(program: &str, counts: &Path) -> Command {
    let mut command = Command::new("valgrind");
    // Caches of one size on every machine: 32 KiB of the first level, 8 MiB of the last.
    command.args(["--quiet", "--tool=callgrind", "--instr-atstart=no", "--cache-sim=yes"]);
    command.args(["--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64"]);
    command.arg(format!("--callgrind-out-file={}", counts.display())).arg(program);
    command
}

/// Moves this process, which makes the load, to the second core, if there are two.
pub(crate) fn move_to_second_core() {
    let id = std::process::id().to_string();
    Command::new("taskset").args(["-apc", "1", &id]).stdout(Stdio::null()).status().expect("taskset runs");
}

/// Reads the parent of a process, its user and system time, and those of its children that have ended, in seconds
/// (proc_pid_stat(5)); `None` if the process has ended.
fn times(id: u32) -> Option<(u32, f64, f64)> {
    const TICKS_PER_SECOND: f64 = 100.0; // USER_HZ of Linux
    let stat = read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program, in brackets, may hold spaces.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let seconds = |user: usize| -> Option<f64> {
        Some((fields[user].parse::<f64>().ok()? + fields[user + 1].parse::<f64>().ok()?) / TICKS_PER_SECOND)
    };
    Some((fields[1].parse().ok()?, seconds(11)?, seconds(13)?))
}
