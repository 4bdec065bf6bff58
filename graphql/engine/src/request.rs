//! The body of a request: `{query, operationName?, variables?, extensions?}`.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::json_member::{Kind, TakeMember, take_members};

/// A request as it was sent; its document is not parsed yet.
#[derive(Debug)]
pub struct Request<'a> {
    /// The document as a JSON string, in quotes: a document that has a plan need not be unescaped.
    pub(super) query: Cow<'a, str>,
    /// The document itself; `None` until it is unescaped.
    document: Option<String>,
    pub(super) operation_name: Option<String>,
    /// The text of a JSON object, whose values are readable.
    pub(super) variables: Cow<'a, str>,
}

/// Why a body is not a request.
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
    /// The body names a document by its digest, as Apollo's persisted queries do.
    #[error("persisted queries are not supported, send the document as \"query\"")]
    PersistedQuery,
}

impl<'a> Request<'a> {
    /// Parses a body.
    pub fn parse(body: &'a [u8]) -> Result<Request<'static>, RequestError> {
        Self::scan(body)?.unescape()
    }

    /// Parses a body, except for the escapes in its document: a document that has a plan was parsed before.
    pub fn scan(body: &'a [u8]) -> Result<Self, RequestError> {
        // A byte order mark may be ignored (RFC 8259, section 8.1).
        let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
        // The encoding is checked once for the whole body, not for each string.
        let text = std::str::from_utf8(body).map_err(|error| RequestError::NotJson(error.to_string()))?;
        Members::read(text).map_err(|shape| shape.unwrap_or_else(|| refuse(text)))?.into_request()
    }

    /// Unescapes the document of a scanned request, and returns a request that does not borrow the body.
    pub fn unescape(self) -> Result<Request<'static>, RequestError> {
        let unreadable = |error| RequestError::NotJson(format!("in the string of \"query\", {error}"));
        let document = match self.document {
            Some(document) => document,
            None => serde_json::from_str(&self.query).map_err(unreadable)?,
        };
        let [query, variables] = [self.query, self.variables].map(|text| text.into_owned().into());
        Ok(Request { query, document: Some(document), operation_name: self.operation_name, variables })
    }

    /// Returns the text of the document.
    pub(super) fn document(&self) -> Result<Cow<'_, str>, serde_json::Error> {
        self.document.as_deref().map_or_else(|| serde_json::from_str(&self.query), |text| Ok(text.into()))
    }

    /// Gives the sent variables to `taker`.
    pub(super) fn take_variables(&self, taker: &mut impl TakeMember) {
        take_members(&self.variables, taker).expect("the scan has read the same text");
    }
}

/// The most levels of nested lists and objects in the JSON of a body: the limit of serde_json.
const JSON_DEPTH_MAX: usize = 127;

/// The members of a body as they were sent: a string, and texts of values that are readable.
#[derive(Default)]
struct Members<'a> {
    query: Option<&'a str>,
    operation_name: Option<&'a str>,
    variables: Option<&'a str>,
    extensions: Option<&'a str>,
}

/// The extensions that the engine looks at.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Extensions {
    persisted_query: Option<IgnoredAny>,
}

impl<'a> Members<'a> {
    /// Reads a body, without unescaping its document.
    ///
    /// # Errors
    /// `None` if the body is not JSON, or no object with members; [`refuse`] tells which.
    fn read(body: &'a str) -> Result<Self, Option<RequestError>> {
        let mut members = Self::default();
        let mut rest = skip_space(body).strip_prefix('{').ok_or(None)?;
        loop {
            let name = read_string(&mut rest).ok_or(None)?;
            rest = skip_space(rest).strip_prefix(':').ok_or(None)?;
            // Clients write the names that are read without escapes.
            match name {
                r#""query""# => members.read_value("query", &mut rest)?,
                r#""operationName""# => members.read_value("operationName", &mut rest)?,
                r#""variables""# => members.read_value("variables", &mut rest)?,
                other => members.read_value(&serde_json::from_str::<String>(other).map_err(|_| None)?, &mut rest)?,
            }
            rest = skip_space(rest);
            match rest.strip_prefix(',') {
                Some(next) => rest = next,
                None => break,
            }
        }
        let is_whole = rest.strip_prefix('}').is_some_and(|behind| skip_space(behind).is_empty());
        if is_whole { Ok(members) } else { Err(None) }
    }

    /// Reads the value of the member `name` at the start of `rest`, and moves `rest` behind it.
    fn read_value(&mut self, name: &str, rest: &mut &'a str) -> Result<(), Option<RequestError>> {
        let (member, kinds, hint) = match name {
            "query" => (&mut self.query, [Kind::String, Kind::Null], "send the document as a string"),
            "operationName" => (&mut self.operation_name, [Kind::String, Kind::Null], "send a string, or leave it out"),
            "variables" => {
                let hint = "send an object, which is {} when there are none (in PHP: new stdClass)";
                (&mut self.variables, [Kind::Object, Kind::Null], hint)
            }
            "extensions" => (&mut self.extensions, [Kind::Object, Kind::Null], "send an object, or leave it out"),
            _ => return read_kind(rest).map(|_| ()).ok_or(None),
        };
        let document = if name == "query" { read_string(rest) } else { None };
        let text = match document {
            Some(document) => document,
            None => match read_kind(rest).ok_or(None)? {
                (kind, text) if kinds.contains(&kind) => text,
                (kind, _) => return Err(Some(RequestError::Shape(format!("\"{name}\" is {}; {hint}", kind.name())))),
            },
        };
        match member.replace(text) {
            None => Ok(()),
            Some(_) => Err(Some(RequestError::Shape(format!("there are two members \"{name}\"")))),
        }
    }

    fn into_request(self) -> Result<Request<'a>, RequestError> {
        // Some clients write null for a document that they name by its digest.
        let Some(query) = self.query.filter(|text| *text != "null") else {
            let extensions = self.extensions.and_then(|text| serde_json::from_str(text).ok());
            return Err(match extensions {
                Some(Extensions { persisted_query: Some(_) }) => RequestError::PersistedQuery,
                _ => missing_query(),
            });
        };
        let operation_name = self.operation_name.and_then(|name| serde_json::from_str(name).ok()).flatten();
        let variables = self.variables.filter(|text| *text != "null").unwrap_or("{}");
        Ok(Request { query: query.into(), document: None, operation_name, variables: variables.into() })
    }
}

/// Returns the JSON string at the start of `rest`, in quotes, and moves `rest` behind it. Does not check its escapes.
fn read_string<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = skip_space(rest);
    let inside = text.strip_prefix('"')?;
    // A quote ends the string unless it is escaped: then the backslashes before it are odd in number.
    let is_end = |quote: &usize| inside[..*quote].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0;
    let end = memchr::memchr_iter(b'"', inside.as_bytes()).find(is_end)?;
    let (string, behind) = text.split_at(end + 2);
    *rest = behind;
    Some(string)
}

/// Returns the kind and the text of the JSON value at the start of `rest`, and moves `rest` behind it.
fn read_kind<'a>(rest: &mut &'a str) -> Option<(Kind, &'a str)> {
    let text = skip_space(rest);
    let mut values = serde_json::Deserializer::from_str(text).into_iter();
    let kind = values.next()?.ok()?;
    let (value, behind) = text.split_at(values.byte_offset());
    *rest = behind;
    Some((kind, value))
}

/// Removes the white space of JSON (RFC 8259).
fn skip_space(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\n', '\r'])
}

/// Returns why a body is not an object with members.
#[cold]
fn refuse(body: &str) -> RequestError {
    match serde_json::from_str(body) {
        // serde_json tells it from a syntax error by its words alone.
        Err(deep) if deep.to_string().starts_with("recursion limit exceeded") => {
            RequestError::Shape(format!("its values are nested deeper than {JSON_DEPTH_MAX} levels"))
        }
        Err(syntax) => RequestError::NotJson(syntax.to_string()),
        Ok(Kind::List) => RequestError::Batch,
        Ok(Kind::Object) => missing_query(),
        Ok(kind) => RequestError::Shape(format!("it is {}; send an object with the key \"query\"", kind.name())),
    }
}

fn missing_query() -> RequestError {
    RequestError::Shape("the member \"query\" is missing".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_nest_too_deep_are_told_from_broken_json() {
        let nested =
            |levels| format!(r#"{{"query":"{{a}}","variables":{{"a":{}{}}}}}"#, "[".repeat(levels), "]".repeat(levels));
        assert!(Request::parse(nested(JSON_DEPTH_MAX - 1).as_bytes()).is_ok());
        for levels in [JSON_DEPTH_MAX, JSON_DEPTH_MAX + 1, 5_000] {
            let error = Request::parse(nested(levels).as_bytes()).expect_err("too deep");
            assert!(matches!(&error, RequestError::Shape(told) if told.contains("nested deeper")), "{levels}: {error}");
        }
        let broken = Request::parse(br#"{"query": "{a}",}"#).expect_err("no JSON");
        assert!(matches!(broken, RequestError::NotJson(_)), "{broken}");
    }
}
