//! The budgets, and the runs that hold the server to them.

use std::collections::BTreeMap;
use std::env;
use std::time::{Duration, Instant};

use super::random::Random;
use super::target::{Target, is_release};
use super::{Input, document, frame, head, image};
use crate::app::FreshDatabase;

/// What an input may cost beyond what a byte of it may cost.
struct Budget {
    nanoseconds_per_byte: u64,
    processor_ms: u64,
    memory_per_byte: usize,
    memory_bytes: usize,
}

const MIB: usize = 1024 * 1024;

/// How long another caller may wait, on a release build that has the machine for itself.
const OTHERS_WAIT: Duration = Duration::from_millis(100);

/// What a debug build may take instead of a release build, for the same input.
const DEBUG_FACTOR: u32 = 10;

/// The seed of a run without `BUDGET_SEED`, and how many inputs it draws.
const SEED: u64 = 202_610;
const DRAWN: usize = 120;

impl Budget {
    fn of(family: &str) -> Self {
        let (nanoseconds_per_byte, processor_ms, memory_per_byte, memory_bytes) = match family {
            // A photo of few bytes may hold as many pixels as are allowed; decoding it is limited in time and memory.
            "photo" => (500, 3_000, 64, 64 * MIB),
            // Requests of 40 bytes ask for pages of 90 KB, which wait in the server up to its budget for answers.
            "answers not taken" => (4_000, 100, 64, 96 * MIB),
            "head" | "frames" => (4_000, 40, 64, 16 * MIB),
            _ => (500, 40, 64, 16 * MIB),
        };
        Self { nanoseconds_per_byte, processor_ms, memory_per_byte, memory_bytes }
    }

    fn processor(&self, size: usize) -> Duration {
        let budget =
            Duration::from_nanos(self.nanoseconds_per_byte * size as u64) + Duration::from_millis(self.processor_ms);
        if is_release() { budget } else { budget * DEBUG_FACTOR }
    }

    fn memory(&self, size: usize) -> usize {
        self.memory_per_byte * size + self.memory_bytes
    }
}

/// The most that was seen of a family, each with its input.
#[derive(Default)]
struct Maxima {
    count: usize,
    processor: (Duration, String),
    memory: (usize, String),
    others: (Duration, String),
}

/// A run against one server.
struct Run {
    target: Target,
    random: Random,
    maxima: BTreeMap<&'static str, Maxima>,
}

impl Run {
    /// Sends an input and holds the server to its budget.
    async fn hold(&mut self, input: &Input) {
        let meter = self.target.meter;
        meter.reset_peak();
        let (processor, resident) = (meter.processor_time(), meter.resident());
        self.target.send(input).await;
        let processor = meter.processor_time() - processor;
        let memory = meter.peak().saturating_sub(resident);
        let others = self.target.others_waited();

        let (budget, size) = (Budget::of(input.family), input.size());
        let what = || format!("{}: {}", input.family, input.name);
        assert!(processor <= budget.processor(size), "{}: {processor:?} of processor time", what());
        assert!(memory <= budget.memory(size), "{}: {memory} bytes of memory", what());
        let maxima = self.maxima.entry(input.family).or_default();
        maxima.count += 1;
        keep_larger(&mut maxima.processor, processor, &input.name);
        keep_larger(&mut maxima.memory, memory, &input.name);
        keep_larger(&mut maxima.others, others, &input.name);
    }

    async fn draw_and_hold(&mut self) {
        let random = &mut self.random;
        let input = match random.below(20) {
            0..=7 => document::draw(random, &self.target),
            8..=10 => document::draw_body(random, &self.target),
            11..=13 => head::draw(random),
            14..=16 => frame::draw(random),
            17 => frame::dripped_body(random),
            _ => image::draw(random, &self.target),
        };
        self.hold(&input).await;
    }

    fn report(&self) {
        for (family, maxima) in &self.maxima {
            println!("{family}: {} inputs", maxima.count);
            println!("  processor time {:?} ({})", maxima.processor.0, maxima.processor.1);
            println!("  memory {} KiB ({})", maxima.memory.0 / 1024, maxima.memory.1);
            println!("  others waited {:?} ({})", maxima.others.0, maxima.others.1);
        }
    }
}

fn keep_larger<T: PartialOrd>(kept: &mut (T, String), value: T, name: &str) {
    if value > kept.0 {
        *kept = (value, name.to_owned());
    }
}

on_sqlite! {
    async fn hostile_input_stays_within_its_budget(database: FreshDatabase) {
        let number =
            |name| env::var(name).ok().map(|text| text.parse::<u64>().unwrap_or_else(|_| panic!("{name} is a number")));
        let seconds = number("BUDGET_SECONDS");
        let seed = number("BUDGET_SEED").unwrap_or(SEED);
        println!("seed {seed}");
        let target = Target::start(&database).await;
        let start_bytes = target.meter.resident();
        let mut run = Run { target, random: Random::new(seed), maxima: BTreeMap::new() };

        for line in include_str!("../graphql_js_reference/cases.jsonl").lines().step_by(if is_release() { 1 } else { 20 }) {
            let case: serde_json::Value = serde_json::from_str(line).expect("a recorded case is JSON");
            let input = document::recorded(case["query"].as_str().unwrap_or_default(), &run.target);
            run.hold(&input).await;
        }
        for levels in [10, 20, 25, 30, 100, 800] {
            let input = document::chain_without_end(levels, &run.target);
            run.hold(&input).await;
        }
        let end = Instant::now() + Duration::from_secs(seconds.unwrap_or_default());
        let mut drawn = 0;
        while drawn < DRAWN || Instant::now() < end {
            run.draw_and_hold().await;
            drawn += 1;
        }
        run.report();
        let end_bytes = run.target.meter.resident();
        println!("resident memory {} MiB at the start, {} MiB at the end", start_bytes / MIB, end_bytes / MIB);
        if seconds.is_some() {
            let slowest = run.maxima.values().map(|maxima| maxima.others.0).max().unwrap_or_default();
            assert!(slowest <= OTHERS_WAIT, "another caller waited {slowest:?}");
        }
    }
}
