//! The context of a request in the resolvers: the caller, the services and the outcome.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use crate::graphql::RequestContext;
use crate::operation::Caller;
use crate::services::Services;

/// The context of a request; http creates it and reads its outcome afterwards.
pub struct Context {
    pub(super) services: Arc<Services>,
    pub(super) caller: Caller,
    cards_asked: AtomicI32,
    user_errors: AtomicBool,
    replayed: AtomicBool,
    created: AtomicBool,
    secret: AtomicBool,
}

impl Context {
    pub fn new(services: Arc<Services>, caller: Caller) -> Self {
        Self {
            services,
            caller,
            cards_asked: AtomicI32::new(0),
            user_errors: AtomicBool::new(false),
            replayed: AtomicBool::new(false),
            created: AtomicBool::new(false),
            secret: AtomicBool::new(false),
        }
    }

    /// Whether any payload carried user errors: such a response is not stored (specification, section 4.3).
    pub fn user_errors(&self) -> bool {
        self.user_errors.load(Ordering::Relaxed)
    }

    /// Whether an earlier attempt created all cards of the response.
    pub fn replayed(&self) -> bool {
        self.replayed.load(Ordering::Relaxed) && !self.created.load(Ordering::Relaxed)
    }

    /// Whether the response holds a session link or a signing secret: such a response is not stored (decisions, section 4,
    /// W10).
    pub fn holds_secret(&self) -> bool {
        self.secret.load(Ordering::Relaxed)
    }

    pub(super) fn note_user_errors(&self) {
        self.user_errors.store(true, Ordering::Relaxed);
    }

    pub(super) fn note_replay(&self) {
        self.replayed.store(true, Ordering::Relaxed);
    }

    pub(super) fn note_created(&self) {
        self.created.store(true, Ordering::Relaxed);
    }

    pub(super) fn note_secret(&self) {
        self.secret.store(true, Ordering::Relaxed);
    }

    /// Returns the ordinal of the next card of the request, from 0. Root mutation fields run serially.
    pub(super) fn next_card(&self) -> i32 {
        self.cards_asked.fetch_add(1, Ordering::Relaxed)
    }
}

impl RequestContext for Context {
    fn request_id(&self) -> &str {
        &self.caller.request_id
    }
}
