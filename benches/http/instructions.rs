//! Counts what a request costs with callgrind, which no noise of the machine touches: instructions, misses of the first-level
//! caches, and instructions by function. `benches/instructions.tsv` holds the counts of the last change that was accepted.
//! Another compiler or processor moves the hand-written server's counts too, so a row grows only if it also grows as a multiple
//! of theirs.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::database::Database;
use crate::load;
use crate::process::{self, Process};
use crate::workload::{INTROSPECTION, Workload};

const BASELINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions.tsv");

/// A row may grow by this share before the comparison fails.
const GROWTH_MAX: f64 = 0.02;

/// Requests of a row that are counted, after others that fill the caches of the server.
const REQUESTS: usize = 500;
const REQUESTS_BEFORE: usize = 100;

/// How often a row is counted: the least count is the one that timers of the server added least to.
const ROUNDS: usize = 3;

/// The share of a row's instructions from which on a function is kept in the baseline, and a gain is printed.
const SHARE_SHOWN: f64 = 0.005;

/// The names of the counts of the whole server.
const TOTAL: &str = "instructions";
const MISSES: [&str; 3] = ["I1 misses", "D1 misses", "LL misses"];

/// The name of the hand-written server's instructions in the baseline.
const LIMIT: &str = "instructions of the hand-written server";

/// What one request costs, by the name of a count: [`TOTAL`], misses of a cache, or a function's own instructions.
type Counts = BTreeMap<String, f64>;

/// Prints what a request of each row costs the service, whose program is `program`, and the hand-written server, alone on one
/// connection on SQLite. Compares the service's instructions with the baseline, or replaces the baseline if `accept`; returns
/// whether no row grew by more than [`GROWTH_MAX`].
pub(crate) fn compare(rows: &[&Workload], program: &str, accept: bool) -> bool {
    let database = Database::new(program, None, 1_000);
    let introspection = NamedTempFile::new().expect("a file");
    {
        let server = database.serve();
        let request = INTROSPECTION.requests(&database.token, database.cards)(0);
        std::fs::write(introspection.path(), load::once(server.address, &request)).expect("it can be written");
    }
    let own = std::env::current_exe().expect("this program has a path");
    let hand_written = |counts: &Path| {
        let mut command = process::callgrind(own.to_str().expect("a UTF-8 path"), counts);
        Process::start(command.args(["hand-written", &database.url, &database.partner]).arg(introspection.path()))
    };
    let before = std::fs::read_to_string(BASELINE).unwrap_or_default();
    let mut accepted = String::new();
    let mut is_within = true;
    let next = Cell::new(0);
    for workload in rows {
        let request = workload.requests(&database.token, database.cards);
        let count_once = |start: &dyn Fn(&Path) -> Process| {
            let file = NamedTempFile::new().expect("a file");
            let server = start(file.path());
            let send = |requests| {
                let next = || request(next.replace(next.get() + 1));
                load::run_count(server.address, requests, workload.answer_start, next);
            };
            send(REQUESTS_BEFORE);
            server.set_counting(true);
            send(REQUESTS);
            server.set_counting(false);
            drop(server);
            let mut counts = read_counts(&std::fs::read_to_string(file.path()).expect("callgrind wrote its counts"));
            counts.values_mut().for_each(|count| *count /= REQUESTS as f64);
            counts
        };
        let count = |start: &dyn Fn(&Path) -> Process| {
            let rounds = (0..ROUNDS).map(|_| count_once(start));
            rounds.min_by(|left, right| left[TOTAL].total_cmp(&right[TOTAL])).expect("a round")
        };
        let (mut service, limit) = (count(&|counts| database.serve_counted(counts)), count(&hand_written));
        println!("{}: {}; hand-written: {}", workload.name, summary(&service), summary(&limit));
        let before: Counts = before.lines().filter_map(|line| baseline_count(line, workload.name)).collect();
        service.insert(LIMIT.to_owned(), limit[TOTAL]);
        let multiple = |counts: &Counts| counts[TOTAL] / counts[LIMIT];
        let is_known = before.contains_key(LIMIT);
        let growth = if is_known {
            f64::min(service[TOTAL] / before[TOTAL], multiple(&service) / multiple(&before)) - 1.0
        } else {
            f64::INFINITY
        };
        is_within &= growth <= GROWTH_MAX;
        if is_known {
            println!("  {:+.1} % since the baseline", growth * 100.0);
            print_gains(&before, &service);
        }
        let is_kept = |name: &str, count| {
            name.contains("instructions") || name.contains("::") && count >= service[TOTAL] * SHARE_SHOWN
        };
        for (name, count) in service.iter().filter(|(name, count)| is_kept(name, **count)) {
            writeln!(accepted, "{}\t{name}\t{count:.0}", workload.name).expect("a string");
        }
    }
    if accept {
        std::fs::write(BASELINE, accepted).expect("the baseline can be written");
    }
    accept || is_within
}

fn summary(counts: &Counts) -> String {
    let shown = [TOTAL].into_iter().chain(MISSES).map(|name| format!("{:.0} {name}", counts[name]));
    shown.collect::<Vec<_>>().join(", ")
}

fn baseline_count(line: &str, row: &str) -> Option<(String, f64)> {
    let (name, count) = line.strip_prefix(row)?.strip_prefix('\t')?.split_once('\t')?;
    Some((name.to_owned(), count.parse().ok()?))
}

/// Prints the functions and crates that gained [`SHARE_SHOWN`] of the row or more, the largest gain first.
fn print_gains(before: &Counts, after: &Counts) {
    let gain = |(name, count): (&String, &f64)| (name.clone(), count - before.get(name).copied().unwrap_or(0.0));
    let mut gains: Vec<_> = after.iter().filter(|(name, _)| name.contains("::")).map(gain).collect();
    gains.retain(|(_, gain)| *gain >= after[TOTAL] * SHARE_SHOWN);
    gains.sort_by(|(_, left), (_, right)| right.total_cmp(left));
    for (name, gain) in gains.into_iter().take(20) {
        println!("  {gain:+8.0} {name}");
    }
}

/// Reads callgrind's file: `fn=(ID)` begins a function, whose name follows where the ID occurs first, maybe as a callee (`cfn=`);
/// lines that start with a position hold the function's own costs, and the line after `calls=` holds the costs of a callee. The
/// order of the costs is Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw. A crate's count, `crate::`, is the sum of its functions.
fn read_counts(file: &str) -> Counts {
    let mut names = BTreeMap::<&str, &str>::new();
    let mut counts: Counts = [TOTAL].into_iter().chain(MISSES).map(|name| (name.to_owned(), 0.0)).collect();
    let mut function = "";
    let mut lines = file.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("calls=") {
            lines.next();
        } else if let Some(named) = line.strip_prefix("fn=").or_else(|| line.strip_prefix("cfn=")) {
            let (id, name) = named.split_once(' ').unwrap_or((named, ""));
            let name = names.entry(id).or_insert_with(|| strip_hash(name));
            if line.starts_with("fn=") {
                function = name;
            }
        } else if line.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '*')) {
            let mut costs =
                line.split(' ').skip(1).map(|cost| cost.parse::<f64>().expect("a cost")).chain(std::iter::repeat(0.0));
            let costs: [f64; 9] = std::array::from_fn(|_| costs.next().expect("without end"));
            let misses = MISSES.into_iter().zip([costs[3], costs[4] + costs[5], costs[6..].iter().sum()]);
            let krate = function.trim_start_matches(['<', '&', '*']).split_inclusive("::").next();
            let own = [TOTAL, function].into_iter().chain(krate.filter(|krate| *krate != function));
            for (name, cost) in own.map(|name| (name, costs[0])).chain(misses) {
                *counts.entry(name.to_owned()).or_default() += cost;
            }
        }
    }
    counts
}

/// Removes the hash of a mangled Rust name, which changes with every build.
fn strip_hash(name: &str) -> &str {
    match name.rsplit_once("::h") {
        Some((path, hash)) if hash.len() == 16 => path,
        _ => name,
    }
}
