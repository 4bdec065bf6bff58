//! The body of a request: `{query, operationName?, variables?, extensions?}` (decisions H5).
//!
//! Called by http. Strings are borrowed from the body where they hold no escapes.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A request as it was sent; its document is not looked at yet.
#[derive(Debug)]
pub struct Request<'a> {
    pub(super) query: Cow<'a, str>,
    pub(super) operation_name: Option<Cow<'a, str>>,
    pub(super) variables: Vec<(Cow<'a, str>, Json<'a>)>,
}

/// Why a body is no request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The body is not JSON.
    #[error("the body is not JSON: {0}")]
    NotJson(String),
    /// The body is a list of requests.
    #[error("the body is a JSON array; batches are not supported, send one request at a time")]
    Batch,
    /// The body is JSON of another shape.
    #[error("the body is not a GraphQL request: {0}")]
    Shape(String),
}

impl<'a> Request<'a> {
    /// Reads a body.
    pub fn parse(body: &'a [u8]) -> Result<Self, RequestError> {
        match serde_json::from_slice(body) {
            Ok(request) => Ok(request),
            Err(error) => Err(refusal(body, &error)),
        }
    }
}

/// Reads a body that is no request once more, to say what it is.
#[cold]
fn refusal(body: &[u8], error: &serde_json::Error) -> RequestError {
    // A wrong shape is told before the rest of the text is read, so the syntax is checked on its own.
    if let Err(syntax) = serde_json::from_slice::<IgnoredAny>(body) {
        return RequestError::NotJson(syntax.to_string());
    }
    match body.iter().find(|b| !b.is_ascii_whitespace()) {
        Some(b'[') => RequestError::Batch,
        _ if error.is_data() => RequestError::Shape(error.to_string()),
        _ => RequestError::NotJson(error.to_string()),
    }
}

/// A JSON value as it was sent.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json<'a> {
    Null,
    Boolean(bool),
    Int(i64),
    /// An integer over `i64::MAX`.
    Large(u64),
    Float(f64),
    String(Cow<'a, str>),
    List(Vec<Json<'a>>),
    /// In the order of the body. Where a name stands twice, the last one counts.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'de> Deserialize<'de> for Request<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RequestVisitor)
    }
}

struct RequestVisitor;

impl<'de> Visitor<'de> for RequestVisitor {
    type Value = Request<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the key \"query\"")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut query, mut operation_name, mut variables) = (None, None, None);
        while let Some(Text(key)) = map.next_key()? {
            match &*key {
                "query" => once(&mut query, map.next_value::<Text<'_>>()?, "query")?,
                "operationName" => {
                    once(&mut operation_name, map.next_value::<Option<Text<'_>>>()?, "operationName")?;
                }
                "variables" => once(&mut variables, map.next_value::<Option<Object<'_>>>()?, "variables")?,
                // Read for its shape only: the service knows no extension.
                "extensions" => drop(map.next_value::<Option<Object<'_>>>()?),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(Request {
            query: query.ok_or_else(|| de::Error::missing_field("query"))?.0,
            operation_name: operation_name.flatten().map(|Text(name)| name),
            variables: variables.flatten().map(|Object(entries)| entries).unwrap_or_default(),
        })
    }
}

/// Keeps a value whose key may stand in the body once.
fn once<T, E: de::Error>(kept: &mut Option<T>, value: T, key: &'static str) -> Result<(), E> {
    match kept.replace(value) {
        None => Ok(()),
        Some(_) => Err(E::duplicate_field(key)),
    }
}

/// A string, borrowed where it can be.
struct Text<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

/// An object, and nothing else.
struct Object<'a>(Vec<(Cow<'a, str>, Json<'a>)>);

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;
        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object or null")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                entries(map).map(Object)
            }
        }
        deserializer.deserialize_map(ObjectVisitor)
    }
}

fn entries<'de, A: MapAccess<'de>>(mut map: A) -> Result<Vec<(Cow<'de, str>, Json<'de>)>, A::Error> {
    let mut entries = vec![];
    while let Some((Text(key), value)) = map.next_entry()? {
        entries.push((key, value));
    }
    Ok(entries)
}

impl<'de> Deserialize<'de> for Json<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Json::Null)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Json::Boolean(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Json::Int(value))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(i64::try_from(value).map_or(Json::Large(value), Json::Int))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Json::Float(value))
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Json::String(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Json::String(Cow::Owned(text.to_owned())))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = vec![];
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Json::List(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        entries(map).map(Json::Object)
    }
}
