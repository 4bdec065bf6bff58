//! A request that is ready to run.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::cache::{Checked, CostedPlan};
use super::coordinate::CoordinateSet;
use super::cost;
use super::request::Request;
use super::value::Value;

/// A checked operation with its variables.
pub struct PreparedOperation {
    pub(super) plan: Arc<CostedPlan>,
    pub(super) variables: Vec<Option<Value>>,
    /// The coordinates that the variables hold.
    sent: CoordinateSet,
    checked: Arc<Checked>,
}

impl PreparedOperation {
    pub(super) fn new(
        plan: Arc<CostedPlan>,
        variables: Vec<Option<Value>>,
        sent: CoordinateSet,
        checked: Arc<Checked>,
    ) -> Self {
        Self { plan, variables, sent, checked }
    }

    /// Whether the operation is a mutation.
    pub fn is_mutation(&self) -> bool {
        self.plan.plan.mutation
    }

    /// What the request asks for, in points (decisions H8).
    pub fn cost(&self) -> u32 {
        self.plan.cost.points(&self.variables)
    }

    /// What its answer really held, in points; `body` is that answer.
    pub fn cost_answered(&self, body: &[u8]) -> u32 {
        let body: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
        cost::answered(&self.plan.plan, &body["data"])
    }

    /// The root fields that will run, as the schema calls them; a field that is asked for twice is there twice.
    pub fn root_fields(&self) -> impl Iterator<Item = &str> {
        self.plan.plan.root.fields.iter().map(|field| field.name)
    }

    /// The coordinates that the request uses: those that its document names, and those that its variables hold. 64 in
    /// each word, the first in the lowest bit, in the order of [`super::AnyEngine::coordinates`].
    pub fn used(&self) -> impl Iterator<Item = u64> {
        self.checked.coordinates.with(&self.sent)
    }

    /// What makes two requests the same (decisions, section 4): SHA-256 over the version, the operation's name, the
    /// document and the canonical JSON of the variables, each with its length before it. `request` is what was prepared.
    pub fn fingerprint(&self, version: &str, request: &Request<'_>) -> [u8; 32] {
        let name = request.operation_name.as_deref();
        // A map of serde_json sorts its keys.
        let sent = serde_json::to_vec(&request.variables).expect("JSON can be written");
        let mut hash = Sha256::new();
        // An absent name differs from every name, the empty one too.
        hash.update([u8::from(name.is_some())]);
        for part in [version.as_bytes(), name.unwrap_or_default().as_bytes(), self.checked.text.as_bytes(), &sent] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        hash.finalize().into()
    }
}
