//! The body of a request: `{query, operationName?, variables?, extensions?}`.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value as Json};

/// A request as it was sent; its document is not parsed yet.
#[derive(Debug)]
pub struct Request<'a> {
    /// The document as a JSON string, in quotes: a document that has a plan need not be unescaped.
    pub(super) query: Cow<'a, str>,
    /// The document itself; `None` until it is unescaped.
    document: Option<String>,
    pub(super) operation_name: Option<String>,
    /// Of values with the same name, the last one counts.
    pub(super) variables: Variables,
}

type Variables = Map<String, Json>;

/// The members of a body.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object with the key \"query\"")]
struct Members {
    query: String,
    operation_name: Option<String>,
    variables: Option<Variables>,
    #[serde(rename = "extensions")]
    _extensions: Extensions,
}

/// Read for its shape only: the engine has no extensions.
type Extensions = Option<HashMap<String, IgnoredAny>>;

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
}

impl<'a> Request<'a> {
    /// Parses a body.
    pub fn parse(body: &'a [u8]) -> Result<Request<'static>, RequestError> {
        Self::scan(body)?.unescape()
    }

    /// Parses a body, except for the escapes in its document: a document that has a plan was parsed before.
    pub fn scan(body: &'a [u8]) -> Result<Self, RequestError> {
        // A derived struct would read its fields from an array too.
        let is_array = body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
        if is_array {
            return Err(refusal(body, None));
        }
        // The encoding is checked once for the whole body, not for each string.
        let text = std::str::from_utf8(body).map_err(|error| RequestError::NotJson(error.to_string()))?;
        if let Some(request) = scan_members(text) {
            return Ok(request);
        }
        let members: Members = serde_json::from_str(text).map_err(|error| refusal(body, Some(error)))?;
        let query = serde_json::to_string(&members.query).expect("a string can be written").into();
        let variables = members.variables.unwrap_or_default();
        Ok(Self { query, document: Some(members.query), operation_name: members.operation_name, variables })
    }

    /// Unescapes the document of a scanned request, and returns a request that does not borrow the body.
    pub fn unescape(self) -> Result<Request<'static>, RequestError> {
        let unreadable = |error| RequestError::NotJson(format!("in the string of \"query\", {error}"));
        let document = match self.document {
            Some(document) => document,
            None => serde_json::from_str(&self.query).map_err(unreadable)?,
        };
        Ok(Request { query: self.query.into_owned().into(), document: Some(document), ..self })
    }

    /// Returns the text of the document.
    pub(super) fn document(&self) -> Result<Cow<'_, str>, serde_json::Error> {
        self.document.as_deref().map_or_else(|| serde_json::from_str(&self.query), |text| Ok(text.into()))
    }
}

/// Reads a body as clients write it, without unescaping the document. Returns `None` for any other body, right or wrong.
fn scan_members(body: &str) -> Option<Request<'_>> {
    let (mut query, mut operation_name, mut variables, mut extensions) = (None, None, None, None);
    let mut rest = skip_space(body).strip_prefix('{')?;
    loop {
        let name = scan_string(&mut rest)?;
        rest = skip_space(rest).strip_prefix(':')?;
        match name {
            r#""query""# if query.is_none() => query = Some(scan_string(&mut rest)?),
            r#""operationName""# if operation_name.is_none() => operation_name = Some(scan_value(&mut rest)?),
            r#""variables""# if variables.is_none() => variables = Some(scan_value::<Option<Variables>>(&mut rest)?),
            r#""extensions""# if extensions.is_none() => extensions = Some(scan_value::<Extensions>(&mut rest)?),
            _ => return None,
        }
        rest = skip_space(rest);
        match rest.strip_prefix(',') {
            Some(next) => rest = next,
            None => break,
        }
    }
    let is_whole = skip_space(rest.strip_prefix('}')?).is_empty();
    let variables = variables.flatten().unwrap_or_default();
    let (query, operation_name) = (query?.into(), operation_name.flatten());
    is_whole.then_some(Request { query, document: None, operation_name, variables })
}

/// Returns the JSON string at the start of `rest`, in quotes, and moves `rest` behind it. Does not check its escapes.
fn scan_string<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = skip_space(rest);
    let inside = text.strip_prefix('"')?;
    // A quote ends the string unless it is escaped: then the backslashes before it are odd in number.
    let is_end = |quote: &usize| inside[..*quote].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0;
    let end = memchr::memchr_iter(b'"', inside.as_bytes()).find(is_end)?;
    let (string, behind) = text.split_at(end + 2);
    *rest = behind;
    Some(string)
}

/// Returns the JSON value at the start of `rest`, and moves `rest` behind it.
fn scan_value<'a, T: Deserialize<'a>>(rest: &mut &'a str) -> Option<T> {
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<T>();
    let value = values.next()?.ok()?;
    *rest = &rest[values.byte_offset()..];
    Some(value)
}

/// Removes the white space of JSON (RFC 8259).
fn skip_space(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\n', '\r'])
}

/// Parses the body again without a shape, to tell a wrong shape from wrong JSON.
#[cold]
fn refusal(body: &[u8], error: Option<serde_json::Error>) -> RequestError {
    if let Err(syntax) = serde_json::from_slice::<IgnoredAny>(body) {
        return RequestError::NotJson(syntax.to_string());
    }
    let has_list = |body: Json| body.get("variables").is_some_and(Json::is_array);
    if error.is_some() && serde_json::from_slice(body).is_ok_and(has_list) {
        let hint = "\"variables\" is an array; send an object, which is {} when there are none (in PHP: new stdClass)";
        return RequestError::Shape(hint.to_owned());
    }
    match error {
        None => RequestError::Batch,
        Some(error) if error.is_data() => RequestError::Shape(error.to_string()),
        Some(error) => RequestError::NotJson(error.to_string()),
    }
}
