//! The forms that a receiver may have given to a body before it checked the signature.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;

use super::diagnosis::{Finding, Part, Try};
use crate::base::limits::SIGNATURE_SEARCH_BODY_BYTES_MAX;

/// Returns the body and the forms that it may have had; for a body that is larger than ours, only the body.
pub(super) fn bodies(body: &[u8]) -> Vec<Try<Cow<'_, [u8]>>> {
    let mut bodies = vec![(body.into(), None)];
    if body.len() > SIGNATURE_SEARCH_BODY_BYTES_MAX {
        return bodies;
    }
    let finding = |message: &str| Some(Finding::new(Part::Body, message));
    let added = finding("The body at hand ends in a line break that was not signed.");
    bodies.push((body.trim_ascii_end().into(), added));
    let missing = finding("What was signed ends in a line break, which the body at hand lacks.");
    bodies.push(([body, b"\n"].concat().into(), missing));
    let rewritten = finding(
        "The JSON was parsed and written again: its white space, the order of its fields or its escapes differ from the bytes \
         that arrived.",
    );
    if let Ok(value) = serde_json::from_slice::<Value>(body) {
        for order in [Order::Documented, Order::Alphabetical] {
            let json = Ordered { value: &value, order };
            let forms = [serde_json::to_vec(&json), serde_json::to_vec_pretty(&json)];
            bodies.extend(forms.into_iter().flatten().map(|bytes| (bytes.into(), rewritten.clone())));
        }
    }
    bodies
}

/// The fields of a body in their order (decisions W1), of the envelope and the card together.
const FIELDS: [&str; 17] = [
    "id",
    "type",
    "topic",
    "apiVersion",
    "timestamp",
    "externalDossierId",
    "externalFuneralDirectorId",
    "status",
    "cardUrl",
    "test",
    "sequence",
    "actor",
    "changedFields",
    "data",
    "card",
    "createdAt",
    "updatedAt",
];

#[derive(Clone, Copy)]
pub(super) enum Order {
    Documented,
    Alphabetical,
}

/// Serialises JSON with its fields in this order.
pub(super) struct Ordered<'a> {
    pub value: &'a Value,
    pub order: Order,
}

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ordered = |value| Ordered { value, order: self.order };
        match self.value {
            Value::Array(items) => serializer.collect_seq(items.iter().map(ordered)),
            Value::Object(fields) => {
                let mut fields: Vec<_> = fields.iter().collect();
                fields.sort_by_key(|(name, _)| {
                    let position = FIELDS.iter().position(|field| *field == name.as_str());
                    (matches!(self.order, Order::Documented).then_some(position), *name)
                });
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    map.serialize_entry(name, &ordered(value))?;
                }
                map.end()
            }
            plain => plain.serialize(serializer),
        }
    }
}
