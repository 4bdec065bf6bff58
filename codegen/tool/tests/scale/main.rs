//! The time that the tool takes grows with the size of the schema, not with its square. Figures: docs/performance.md.

#![allow(clippy::unwrap_used)] // a failure of a test

mod made_up;

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use schema::Sdl;
use schema::diff::Pair;
use schema_tool::check::compat::compare;
use schema_tool::check::finding::Findings;
use schema_tool::check::lint::{Scope, lint};
use schema_tool::check::output::{Format, write};
use schema_tool::emit::Names;
use schema_tool::{Mode, build};

const TYPES: usize = 200;
/// A quadratic part would come near 4.
const GROWTH_MAX: f64 = 2.5;

/// The tests run one at a time, because each measures the whole process.
static ALONE: Mutex<()> = Mutex::new(());

/// Returns the time in ticks that the threads of this process, also those that ended, have run in user mode, which other
/// processes do not change (`utime` in proc(5)).
fn on_processor() -> f64 {
    let statistics = fs::read_to_string("/proc/self/stat").unwrap();
    let (_, fields) = statistics.rsplit_once(") ").unwrap();
    fields.split(' ').nth(11).unwrap().parse().unwrap()
}

/// Asserts that the work on twice the types takes at most `GROWTH_MAX` times as long; the least of a few measurements.
fn assert_grows_with_the_types(work: impl Fn(usize)) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let least = |types| {
        let run = |_| {
            let before = on_processor();
            work(types);
            on_processor() - before
        };
        (0..3).map(run).fold(f64::INFINITY, f64::min)
    };
    let growth = (0..3).map(|_| least(2 * TYPES) / least(TYPES)).fold(f64::INFINITY, f64::min);
    assert!(growth <= GROWTH_MAX, "twice the types take {growth:.1} times as long");
}

#[test]
fn lint_grows_with_the_types() {
    assert_grows_with_the_types(|types| {
        let version = made_up::VERSIONS[0];
        let sdl = Sdl::parse(version, "a.graphql", &made_up::sdl(types, version)).unwrap();
        let mut findings = Findings::default();
        findings.know_sdl(&sdl);
        findings.extend(lint(&sdl, &Scope::Everything));
        assert!(findings.list().len() > types);
        assert!(write(&findings, Format::Human).len() > write(&findings, Format::Json).len() / 4);
    });
}

#[test]
fn diff_grows_with_the_types() {
    assert_grows_with_the_types(|types| {
        let [old, new] = made_up::VERSIONS
            .map(|version| Sdl::parse(version, &format!("{version}.graphql"), &made_up::sdl(types, version)).unwrap());
        let mut findings = Findings::default();
        [&old, &new].into_iter().for_each(|sdl| findings.know_sdl(sdl));
        findings.extend(compare(Pair { old: &old, new: &new }));
        assert!(findings.list().len() > types / 10);
        assert!(!write(&findings, Format::Human).is_empty());
    });
}

#[test]
fn generating_grows_with_the_types() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("made_up");
    fs::create_dir_all(root.join("schema")).unwrap();
    fs::write(root.join("schema/versions.toml"), made_up::VERSIONS_TOML).unwrap();
    assert_grows_with_the_types(|types| {
        for version in made_up::VERSIONS {
            fs::write(root.join(format!("schema/{version}.graphql")), made_up::sdl(types, version)).unwrap();
        }
        build(&root, &Names::default(), Mode::Write).unwrap();
    });
}
