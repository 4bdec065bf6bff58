//! The process of the service in a run: the real services on a real database, with a clock, randomness and network of the
//! run. It can be killed at any store call, and started again on the same database.

use std::sync::Arc;

use card_service::base::{Clock, Entropy, Policy};
use card_service::mail::Mailer;
use card_service::media::{MediaStore, Renderer};
use card_service::model::CardActivation;
use card_service::outbound::Outbound;
use card_service::services::Services;
use card_service::store::{Faults, Store, StoreCloser, StoreSettings};
use card_service::worker::delivery::Dispatcher;
use tokio::runtime::Runtime;

use crate::database::FreshDatabase;
use crate::network::Network;

/// The public address of the service.
pub const PUBLIC_BASE: &str = "https://kaarten.example";

/// The settings of a process, the same at each start.
pub struct World {
    pub database: FreshDatabase,
    pub clock: Clock,
    pub entropy: Entropy,
    pub network: Network,
    /// The client of the service, whose requests the network answers.
    pub outbound: Outbound,
    pub faults: Arc<Faults>,
    pub media: MediaStore,
}

/// A running process.
pub struct Process {
    running: Option<Running>,
}

struct Running {
    services: Arc<Services>,
    dispatcher: Arc<Dispatcher>,
    closer: StoreCloser,
    runtime: Runtime,
}

impl Process {
    pub fn start(world: &World) -> Self {
        // One thread: tasks run in one order.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        let (services, closer) = runtime.block_on(services(world));
        let guard = runtime.enter();
        let dispatcher = Dispatcher::new(Arc::clone(&services));
        drop(guard);
        Self { running: Some(Running { services, dispatcher, closer, runtime }) }
    }

    /// Runs `call` to its end. Returns `None` if it reached a store call that never returns.
    pub fn run<T>(&self, world: &World, call: impl AsyncFnOnce(&Arc<Services>, &Arc<Dispatcher>) -> T) -> Option<T> {
        let Running { services, dispatcher, runtime, .. } = self.running.as_ref().expect("it runs");
        runtime.block_on(async {
            tokio::select! {
                biased;
                () = world.faults.hung() => None,
                out = call(services, dispatcher) => Some(out),
            }
        })
    }

    /// Ends the process without a word: tasks stop where they are. Returns when the database is closed.
    pub fn kill(&mut self) {
        let Running { services, dispatcher, closer, runtime } = self.running.take().expect("it runs");
        drop((services, dispatcher));
        drop(runtime);
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime starts");
        runtime.block_on(closer.close());
    }
}

async fn services(world: &World) -> (Arc<Services>, StoreCloser) {
    let settings = StoreSettings {
        url: world.database.url.clone(),
        postgres_pool_size: 4,
        public_base: PUBLIC_BASE.to_owned(),
        create: true,
        examine: false,
        clock: world.clock.clone(),
    };
    let (store, closer) = Store::open(&settings).await.expect("the store opens");
    let folder = world.database.folder.path();
    let services = Services {
        store: store.with_faults(Arc::clone(&world.faults)),
        clock: world.clock.clone(),
        entropy: world.entropy.clone(),
        outbound: world.outbound.clone(),
        media: world.media.clone(),
        renderer: Renderer::in_this_process(),
        mailer: Mailer::folder(folder.join("mail"), "kaarten@voorbeeld.nl").expect("a folder"),
        public_base: PUBLIC_BASE.to_owned(),
        // A step activates.
        activation: CardActivation::Operator,
        data_dir: folder.to_owned(),
        usage: Arc::default(),
        metrics: Arc::default(),
        certificate: Arc::default(),
        policy: Policy::default(),
    };
    (Arc::new(services), closer)
}
