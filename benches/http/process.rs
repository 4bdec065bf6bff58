//! Processes on the first core, their processor time and their peak memory.

use std::fs::read_to_string;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

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

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the peak of resident memory so far, in MB.
    pub(crate) fn peak_mb(&self) -> f64 {
        kib(self.id(), "VmHWM:") / 1024.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns a command that runs `program` on the first core, if there are two.
pub(crate) fn on_first_core(program: &str) -> Command {
    on_core("0", program)
}

/// Returns a command that runs `program` on the second core, if there are two.
pub(crate) fn on_second_core(program: &str) -> Command {
    on_core("1", program)
}

fn on_core(core: &str, program: &str) -> Command {
    if has_one_core() {
        return Command::new(program);
    }
    let mut command = Command::new("taskset");
    command.args(["-c", core, program]);
    command
}

/// Counts the cores of the machine, not those that this process may use.
fn has_one_core() -> bool {
    read_to_string("/sys/devices/system/cpu/online").expect("Linux").trim() == "0"
}

/// Moves this process, which makes the load, to the second core, if there are two.
pub(crate) fn move_to_second_core() {
    if !has_one_core() {
        let id = std::process::id().to_string();
        let done = Command::new("taskset").args(["-apc", "1", &id]).stdout(Stdio::null()).status();
        assert!(done.is_ok_and(|status| status.success()), "taskset moves this process");
    }
}

/// Returns the user and system time of a process, in seconds.
pub(crate) fn processor_seconds(id: u32) -> f64 {
    times(id).map_or(0.0, |times| times.own)
}

/// Returns the user and system time of a process and its children, in seconds, with the children that have ended.
pub(crate) fn tree_seconds(id: u32) -> f64 {
    let processes = std::fs::read_dir("/proc")
        .expect("Linux")
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let children: f64 =
        processes.filter_map(times).filter(|times| times.parent == id).map(|times| times.own + times.ended).sum();
    times(id).map_or(0.0, |times| times.own + times.ended) + children
}

struct Times {
    parent: u32,
    own: f64,
    /// Of children that have ended.
    ended: f64,
}

/// Reads `/proc/<id>/stat` (proc_pid_stat(5)); `None` if the process has ended.
fn times(id: u32) -> Option<Times> {
    const TICKS_PER_SECOND: f64 = 100.0; // what Linux calls USER_HZ, on every platform of ours
    let stat = read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program, in brackets, may hold spaces.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let seconds = |user: usize| -> Option<f64> {
        Some((fields[user].parse::<f64>().ok()? + fields[user + 1].parse::<f64>().ok()?) / TICKS_PER_SECOND)
    };
    Some(Times { parent: fields[1].parse().ok()?, own: seconds(11)?, ended: seconds(13)? })
}

/// Returns a figure of `/proc/<id>/status` (proc_pid_status(5)) in KiB.
pub(crate) fn kib(id: u32, name: &str) -> f64 {
    let status = read_to_string(format!("/proc/{id}/status")).expect("a running process");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a figure");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
