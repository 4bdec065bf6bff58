//! The context of a request in the resolvers: the caller, the services and the outcome.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use engine::{Message, RequestContext};

use crate::model::text;
use crate::operation::Caller;
use crate::services::Services;

/// The context of a request; http creates it and reads its outcome afterwards.
pub struct Context {
    pub(super) services: Arc<Services>,
    pub(super) caller: Caller,
    cards_asked: AtomicI32,
    user_errors: AtomicBool,
    remembered: BTreeMap<String, String>,
}

impl Context {
    /// `remembered`: the values of the root fields, by response key, that an earlier attempt of the request executed.
    pub fn new(services: Arc<Services>, caller: Caller, remembered: BTreeMap<String, String>) -> Self {
        Self { services, caller, cards_asked: AtomicI32::new(0), user_errors: AtomicBool::new(false), remembered }
    }

    /// Whether any payload carried user errors: such a response is not stored (specification, section 4.3).
    pub fn user_errors(&self) -> bool {
        self.user_errors.load(Ordering::Relaxed)
    }

    pub(super) fn note_user_errors(&self) {
        self.user_errors.store(true, Ordering::Relaxed);
    }

    /// Returns the ordinal of the next card of the request, from 0. Root mutation fields run serially.
    pub(super) fn next_card(&self) -> i32 {
        self.cards_asked.fetch_add(1, Ordering::Relaxed)
    }
}

impl RequestContext for Context {
    fn request_id(&self) -> Option<&str> {
        Some(&self.caller.request_id)
    }

    fn message(&self, message: &Message) -> String {
        text::engine_message(message)
    }

    fn remembered(&self, response_key: &str) -> Option<&[u8]> {
        self.remembered.get(response_key).map(String::as_bytes)
    }
}
