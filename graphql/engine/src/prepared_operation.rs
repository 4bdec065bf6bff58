//! A planned operation with its coerced variables, ready to run.

use std::sync::Arc;

use serde::de::MapAccess;
use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};

use super::cache::{Checked, CostedPlan};
use super::coordinate::CoordinateSet;
use super::json_member::TakeMember;
use super::limit::Limits;
use super::plan::Plan;
use super::request::Request;
use super::value::Value;

/// A planned operation with its coerced variables.
pub struct PreparedOperation {
    pub(super) plan: Arc<CostedPlan>,
    pub(super) variables: Vec<Option<Value>>,
    /// The coordinates in the variables.
    sent: CoordinateSet,
    checked: Arc<Checked>,
    cost: u32,
}

impl PreparedOperation {
    pub(super) fn new(
        plan: Arc<CostedPlan>,
        variables: Vec<Option<Value>>,
        sent: CoordinateSet,
        checked: Arc<Checked>,
        limits: &Limits,
    ) -> Self {
        Self { cost: plan.cost.points(&variables, limits), plan, variables, sent, checked }
    }

    /// Returns whether the operation is a mutation.
    pub fn is_mutation(&self) -> bool {
        self.plan.plan.mutation
    }

    /// Returns the name of the operation, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.plan.plan.name.as_deref()
    }

    /// Returns a span of `tracing` for the operation, at the level `info`.
    pub fn span(&self) -> tracing::Span {
        tracing::info_span!("operation", name = self.name(), mutation = self.is_mutation(), cost = self.cost())
    }

    /// Returns the cost of the request in points.
    pub fn cost(&self) -> u32 {
        self.cost
    }

    /// Returns the root fields that will run: the response key and the name in the schema.
    pub fn root_fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.plan.plan.root.fields.iter().map(|field| (field.response_key(), field.name))
    }

    /// Returns the coordinates that the document and the variables use: 64 in each word, the first in the
    /// lowest bit, in the order of [`super::AnyEngine::coordinates`].
    pub fn used(&self) -> impl Iterator<Item = u64> {
        self.checked.coordinates.with(&self.sent)
    }

    /// Returns the digest of a request: SHA-256 over the version, the operation name, the SHA-256 of the
    /// document and the canonical JSON of its variables, each preceded by its length. `request` is the prepared request.
    pub fn digest(&self, version: &str, request: &Request<'_>) -> [u8; 32] {
        let name = request.operation_name.as_deref();
        let mut sent = Sent { plan: &self.plan.plan, variables: Map::new() };
        request.take_variables(&mut sent);
        // A map of serde_json sorts its keys.
        let sent = serde_json::to_vec(&sent.variables).expect("JSON can be written");
        let mut hash = Sha256::new();
        // An absent name differs from an empty one.
        hash.update([u8::from(name.is_some())]);
        for part in [version.as_bytes(), name.unwrap_or_default().as_bytes(), self.checked.digest(), &sent] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        hash.finalize().into()
    }
}

/// The sent variables that an operation declares.
struct Sent<'p> {
    plan: &'p Plan,
    variables: Map<String, Json>,
}

impl TakeMember for Sent<'_> {
    fn position(&self, name: &str) -> Option<usize> {
        self.plan.variable(name)
    }

    fn take<'de, A: MapAccess<'de>>(&mut self, at: usize, members: &mut A) -> Result<(), A::Error> {
        self.variables.insert(self.plan.variables[at].name.to_string(), members.next_value()?);
        Ok(())
    }
}
