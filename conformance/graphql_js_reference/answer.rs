//! Answers, compared.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// The answer to a request.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(untagged)]
pub(crate) enum Answer {
    /// It was refused before execution.
    Refused { refused: Vec<Refused> },
    /// It was executed.
    Ran {
        data: Json,
        #[serde(default)]
        errors: Vec<Error>,
    },
}

/// Why a request did not run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
pub(crate) struct Refused {
    pub(crate) message: String,
    #[serde(default)]
    pub(crate) locations: Vec<Place>,
    /// Whether the words are our own, because the error is of the request and not of its document.
    #[serde(skip)]
    pub(crate) own_words: bool,
}

/// A place in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// A field's error, without its words.
#[derive(Clone, Debug, PartialEq, PartialOrd, serde::Deserialize)]
pub(crate) struct Error {
    path: Option<Json>,
    locations: Option<Json>,
}

/// JSON in which the order of keys matters, as it does in an answer.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) enum Json {
    Null,
    Boolean(bool),
    Number(f64),
    String(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Answer {
    pub(crate) fn error_count(&self) -> usize {
        match self {
            Answer::Refused { .. } => 0,
            Answer::Ran { errors, .. } => errors.len(),
        }
    }

    /// Whether this answer has the data of the other, and all of its errors.
    pub(crate) fn has_all_of(&self, other: &Answer) -> bool {
        match (self, other) {
            (Answer::Ran { data, errors }, Answer::Ran { data: other_data, errors: others }) => {
                data == other_data && others.iter().all(|error| errors.contains(error))
            }
            _ => false,
        }
    }

    /// Whether both answers are refusals that agree but for the errors with these words.
    pub(crate) fn agrees_without(&self, other: &Answer, words: &str) -> bool {
        let without = |errors: &[Refused]| -> Vec<Refused> {
            errors.iter().filter(|error| !error.message.contains(words)).cloned().collect()
        };
        match (self, other) {
            (Answer::Refused { refused }, Answer::Refused { refused: other }) => {
                refusals_differ(&without(refused), &without(other)).is_none()
            }
            _ => false,
        }
    }

    /// Whether both answers have the same data, and as many errors that emptied the same places of it.
    pub(crate) fn empties_the_same_places(&self, other: &Answer) -> bool {
        match (self, other) {
            (Answer::Ran { data, errors }, Answer::Ran { data: other_data, errors: others }) => {
                data == other_data && emptied(data, errors) == emptied(data, others)
            }
            _ => false,
        }
    }

    /// Returns the differences between this answer and the correct one.
    pub(crate) fn differs_from(&self, right: &Answer) -> Option<String> {
        match (self, right) {
            (Answer::Refused { refused }, Answer::Refused { refused: right }) => refusals_differ(refused, right),
            (Answer::Refused { refused }, Answer::Ran { .. }) => Some(format!("is refused: {refused:?}")),
            (Answer::Ran { .. }, Answer::Refused { refused }) => Some(format!("should be refused: {refused:?}")),
            (Answer::Ran { data, errors }, Answer::Ran { data: right_data, errors: right_errors }) => {
                if data != right_data {
                    return Some(format!("data\n    {data:?}\n    {right_data:?}"));
                }
                let (mut have, mut want): (Vec<_>, Vec<_>) = (errors.iter().collect(), right_errors.iter().collect());
                // Fields that run side by side may fail in any order.
                have.sort_by(|a, b| a.partial_cmp(b).expect("no number here is NaN"));
                want.sort_by(|a, b| a.partial_cmp(b).expect("no number here is NaN"));
                (have != want).then(|| format!("errors\n    {have:?}\n    {want:?}"))
            }
        }
    }
}

/// The path of the null that each error left in the data, sorted.
fn emptied<'a>(data: &Json, errors: &'a [Error]) -> Vec<&'a [Json]> {
    let null_of = |error: &'a Error| {
        let path = match &error.path {
            Some(Json::List(path)) => &path[..],
            _ => &[],
        };
        let mut place = data;
        let depth = path.iter().take_while(|key| match (place, key) {
            (Json::Object(fields), Json::String(name)) => {
                fields.iter().find(|(key, _)| key == name).map(|(_, value)| place = value).is_some()
            }
            (Json::List(items), Json::Number(index)) => items.get(*index as usize).map(|value| place = value).is_some(),
            _ => false,
        });
        let depth = depth.count();
        &path[..depth]
    };
    let mut paths: Vec<_> = errors.iter().map(null_of).collect();
    paths.sort_by(|a, b| a.partial_cmp(b).expect("no number here is NaN"));
    paths
}

/// Returns the differences between the errors of two refusals: locations, and messages without suggestions. graphql-js reports
/// conflicting fields pair by pair, and the engine once for each response key: both must report some, at places that graphql-js has.
fn refusals_differ(refused: &[Refused], right: &[Refused]) -> Option<String> {
    let differ = || Some(format!("is refused otherwise\n    {refused:?}\n    {right:?}"));
    let is_conflict = |error: &&Refused| error.message.starts_with("Fields \"");
    let (conflicts, rest): (Vec<&Refused>, Vec<&Refused>) = refused.iter().partition(is_conflict);
    let (right_conflicts, right_rest): (Vec<&Refused>, Vec<&Refused>) = right.iter().partition(is_conflict);
    let known: Vec<&Place> = right_conflicts.iter().flat_map(|error| &error.locations).collect();
    if conflicts.is_empty() != right_conflicts.is_empty()
        || !conflicts.iter().flat_map(|error| &error.locations).all(|place| known.contains(&place))
    {
        return differ();
    }
    let mut rest: Vec<_> = rest.into_iter().map(|error| (&error.locations, words(error))).collect();
    let own_words = refused.iter().any(|error| error.own_words);
    let theirs = |error: &'_ Refused| if own_words { String::new() } else { words(error) };
    let mut right_rest: Vec<_> = right_rest.into_iter().map(|error| (&error.locations, theirs(error))).collect();
    rest.sort();
    right_rest.sort();
    // A variable is reported once, with its first invalid value.
    if own_words {
        right_rest.dedup();
    }
    if rest == right_rest { None } else { differ() }
}

/// Returns the message of an error, without its suggestion and without the string that it quotes: graphql-js prints a block string as one.
fn words(error: &Refused) -> String {
    if error.own_words {
        return String::new();
    }
    let said = error.message.split(" Did you mean ").next().unwrap_or_default();
    said.split(" value: \"").next().unwrap_or_default().to_owned()
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }
    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Boolean(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }
    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::String(value.to_owned()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut items = vec![];
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Json::List(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut entries = vec![];
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Json::Object(entries))
    }
}
