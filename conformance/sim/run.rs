//! A run: one seed, a number of steps, and a trace of what each did.

use std::sync::Arc;

use card_service::base::{Clock, Entropy, Timestamp};
use card_service::media::MediaStore;
use card_service::model::Theme;
use card_service::operation;
use card_service::outbound::install_tls_provider;
use card_service::services::Services;
use card_service::store::{Fault, Faults, Store, StoreError};
use card_service::worker::delivery::Dispatcher;
use uuid::Uuid;

use crate::database::{Database, FreshDatabase};
use crate::model::{Account, Model};
use crate::network::Network;
use crate::process::{Process, World};
use crate::random::Random;

/// 10 November 2026, 09:30 in the Netherlands.
const START_MS: i64 = 1_794_299_400_000;

/// Of a hundred calls, how many meet a fault of the store.
const FAULTS: usize = 6;
/// The last store call of a step that may fail.
const FAULTY_CALL_MAX: usize = 6;

/// How many steps pass between two comparisons of the whole database.
const AUDITED_EVERY: usize = 200;

/// The number of lines of a trace that are printed after a failure.
const LINES_SHOWN: usize = 25;

/// A running simulation.
pub struct Sim {
    pub world: World,
    process: Process,
    pub random: Random,
    pub model: Model,
    pub memory: crate::step::Memory,
    /// Of a hundred calls, how many meet a fault of the store.
    pub faults: usize,
    /// Whether a fault happened in the last call.
    pub faulted: bool,
    pub trace: Trace,
}

/// A line for each step: its time and effect.
pub type Trace = Vec<(Timestamp, String)>;

/// The result of a call of the service.
pub enum Called<T> {
    Returned(T),
    /// The store failed or the process was killed: the change may have been made or not.
    Lost,
}

impl<T> Called<T> {
    pub fn is_lost(&self) -> bool {
        matches!(self, Called::Lost)
    }
}

/// Runs `steps` steps of a seed. Returns the trace, or `None` after a failure.
pub fn run(engine: Database, database: &FreshDatabase, seed: u64, steps: usize) -> Option<Trace> {
    let mut sim = Sim::start(database, seed);
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        for number in 1..=steps {
            sim.step();
            if number % AUDITED_EVERY == 0 {
                sim.audit();
            }
        }
        sim.settle();
        sim.audit();
    }));
    sim.process.kill();
    if done.is_err() {
        let shown = sim.trace.len().saturating_sub(LINES_SHOWN);
        eprintln!("The last steps:");
        sim.trace[shown..].iter().for_each(|(at, line)| eprintln!("  {at} {line}"));
        let test = format!("{engine:?}_agrees").to_lowercase();
        eprintln!(
            "To repeat it: SIM_SEED={seed} SIM_STEPS={steps} cargo test --workspace --all-features --test sim {test}"
        );
        return None;
    }
    Some(sim.trace)
}

impl Sim {
    fn start(database: &FreshDatabase, seed: u64) -> Self {
        let random = Random::new(seed);
        install_tls_provider();
        let network = Network::default();
        let world = World {
            database: database.clone(),
            clock: Clock::manual(Timestamp::from_millis(START_MS).expect("a timestamp of this century")),
            entropy: Entropy::seeded(seed),
            outbound: network.outbound(),
            network,
            faults: Arc::<Faults>::default(),
            media: MediaStore::in_memory(),
        };
        let process = Process::start(&world);
        let made = process.run(&world, async |services, _| (partners(services).await, themes(services).await));
        let (partners, themes) = made.expect("no fault is planned");
        let model = Model::new(partners, themes);
        let (memory, trace) = (crate::step::Memory::default(), Vec::new());
        Self { world, process, random, model, memory, faults: FAULTS, faulted: false, trace }
    }

    pub fn now(&self) -> Timestamp {
        self.world.clock.now()
    }

    pub fn chance(&mut self, of_hundred: usize) -> bool {
        self.random.below(100) < of_hundred
    }

    pub fn note(&mut self, line: impl Into<String>) {
        let fault = if std::mem::take(&mut self.faulted) { " (fault)" } else { "" };
        self.trace.push((self.now(), line.into() + fault));
    }

    /// Calls the service. The store may fail, or the process be killed, in the middle of it.
    pub fn call<T, E>(
        &mut self,
        call: impl AsyncFnOnce(&Arc<Services>, &Arc<Dispatcher>) -> Result<T, E>,
    ) -> Called<Result<T, E>> {
        if self.chance(self.faults) {
            let faults = [Fault::FailsBefore, Fault::FailsAfter, Fault::HangsBefore, Fault::HangsAfter];
            let number = 1 + self.random.below(FAULTY_CALL_MAX);
            self.world.faults.plan(number, *self.random.pick(&faults));
        }
        let out = self.process.run(&self.world, call);
        self.faulted = self.world.faults.clear();
        match out {
            None => {
                self.restart();
                Called::Lost
            }
            Some(Err(_)) if self.faulted => Called::Lost,
            Some(out) => Called::Returned(out),
        }
    }

    /// Calls the service without a fault.
    pub fn calmly<T>(&self, call: impl AsyncFnOnce(&Arc<Services>, &Arc<Dispatcher>) -> T) -> T {
        self.process.run(&self.world, call).expect("no fault is planned")
    }

    /// Reads from the store.
    pub fn read<T>(&self, read: impl AsyncFnOnce(&Store) -> Result<T, StoreError>) -> T {
        self.calmly(async |services, _| read(&services.store).await).expect("the store answers")
    }

    /// Kills the process and starts it again.
    pub fn restart(&mut self) {
        self.process.kill();
        self.process = Process::start(&self.world);
        for subscription in self.model.subscriptions.values_mut() {
            subscription.attempted_at = None;
        }
    }
}

/// Two partners, each with a signing secret.
async fn partners(services: &Services) -> Vec<Account> {
    let mut accounts = Vec::new();
    for name in ["Noord", "Zuid"] {
        let (partner, secret) = operation::partner::add(services, name).await.expect("the name is free");
        accounts.push(Account { partner_id: partner.id, secret: secret.secret });
    }
    accounts
}

async fn themes(services: &Services) -> Vec<Uuid> {
    let mut themes = Vec::new();
    for handle in ["linde", "zee"] {
        let theme = Theme {
            id: services.entropy.uuid(services.clock.now()),
            number: 0,
            handle: handle.to_owned(),
            title: handle.to_owned(),
            description: "Rustige kleuren.".to_owned(),
            images: Vec::new(),
            videos: Vec::new(),
            demo_url: None,
            position: 1,
        };
        themes.push(services.store.put_theme(theme).await.expect("the store answers").id);
    }
    themes
}
