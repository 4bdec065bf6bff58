//! A request that is ready to run.

use std::borrow::Cow;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::cache::Checked;
use super::coordinate::CoordinateSet;
use super::cost;
use super::plan::Plan;
use super::request::{Json, Request};
use super::value::Value;
use super::write::write_string;

/// A checked operation with its variables.
pub struct Prepared {
    pub(super) plan: Arc<Plan>,
    pub(super) variables: Vec<Option<Value>>,
    /// The coordinates that the variables hold.
    sent: CoordinateSet,
    checked: Arc<Checked>,
}

impl Prepared {
    pub(super) fn new(
        plan: Arc<Plan>,
        variables: Vec<Option<Value>>,
        sent: CoordinateSet,
        checked: Arc<Checked>,
    ) -> Self {
        Self { plan, variables, sent, checked }
    }

    /// Whether the operation is a mutation.
    pub fn is_mutation(&self) -> bool {
        self.plan.is_mutation()
    }

    /// What the request asks for, in points (decisions H8).
    pub fn cost(&self) -> u32 {
        self.plan.cost.points(&self.variables)
    }

    /// What its answer really held, in points; `body` is that answer.
    pub fn cost_answered(&self, body: &[u8]) -> u32 {
        let body: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
        cost::answered(&self.plan, &body["data"])
    }

    /// The root fields that will run, as the schema calls them; a field that is asked for twice is there twice.
    pub fn root_fields(&self) -> impl Iterator<Item = &str> {
        self.plan.root.fields.iter().map(|field| field.name)
    }

    /// The coordinates that the request uses: those that its document names, and those that its variables hold. 64 in
    /// each word, the first in the lowest bit, in the order of [`super::AnyEngine::coordinates`].
    pub fn used(&self) -> impl Iterator<Item = u64> {
        self.checked.named.with(&self.sent)
    }

    /// What makes two requests the same (decisions, section 4): SHA-256 over the version, the operation's name, the
    /// document and the canonical JSON of the variables, each with its length before it. `request` is what was prepared.
    pub fn fingerprint(&self, version: &str, request: &Request<'_>) -> [u8; 32] {
        let name = request.operation_name.as_deref();
        let mut sent = Vec::new();
        write_object(&mut sent, &request.variables);
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

/// Writes JSON in the one form that all spellings of it share: sorted names, no white space.
fn write_json(out: &mut Vec<u8>, value: &Json<'_>) {
    match value {
        Json::Null => out.extend_from_slice(b"null"),
        Json::Boolean(value) => out.extend_from_slice(if *value { b"true" } else { b"false" }),
        Json::Int(n) => out.extend_from_slice(itoa::Buffer::new().format(*n).as_bytes()),
        Json::Large(n) => out.extend_from_slice(itoa::Buffer::new().format(*n).as_bytes()),
        Json::Float(n) => out.extend_from_slice(ryu::Buffer::new().format(*n).as_bytes()),
        Json::String(text) => write_string(out, text),
        Json::List(items) => {
            out.push(b'[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                write_json(out, item);
            }
            out.push(b']');
        }
        Json::Object(entries) => write_object(out, entries),
    }
}

fn write_object(out: &mut Vec<u8>, entries: &[(Cow<'_, str>, Json<'_>)]) {
    out.push(b'{');
    match entries {
        [] => {}
        [(name, value)] => write_entry(out, name, value),
        several => {
            let mut sorted: Vec<_> = several.iter().collect();
            // A stable sort: of a name that stands twice, the last one still is the last.
            sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
            let last_of_its_name = |i: usize| sorted.get(i + 1).is_none_or(|(next, _)| *next != sorted[i].0);
            for (nth, i) in (0..sorted.len()).filter(|i| last_of_its_name(*i)).enumerate() {
                if nth > 0 {
                    out.push(b',');
                }
                write_entry(out, &sorted[i].0, &sorted[i].1);
            }
        }
    }
    out.push(b'}');
}

fn write_entry(out: &mut Vec<u8>, name: &str, value: &Json<'_>) {
    write_string(out, name);
    out.push(b':');
    write_json(out, value);
}
