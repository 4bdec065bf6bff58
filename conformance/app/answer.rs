//! A response of the service, with the assertions that most tests make.

use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::Value;

/// A complete HTTP response.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// A user error of a payload.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UserFault {
    pub code: String,
    /// The path, joined with dots.
    pub field: String,
    pub message: String,
}

impl Answer {
    pub async fn read(response: reqwest::Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await.expect("the body arrives whole").to_vec();
        Self { status, headers, body }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("headers are ASCII"))
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("the body is UTF-8")
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|e| panic!("not JSON ({e}): {} {}", self.status, String::from_utf8_lossy(&self.body)))
    }

    /// The data of an answer without errors.
    #[track_caller]
    pub fn data(&self) -> Value {
        let mut body = self.json();
        assert_eq!(self.status, 200, "{body}");
        assert!(body.get("errors").is_none(), "{body}");
        body["data"].take()
    }

    /// Asserts an answer of decisions H1: no data, one code, a Dutch message; returns its first error.
    #[track_caller]
    pub fn expect_error(&self, status: u16, code: &str) -> Value {
        let body = self.json();
        assert_eq!(self.status, status, "{body}");
        assert!(body.get("data").is_none(), "a refusal has no data: {body}");
        let error = body["errors"][0].clone();
        assert_eq!(error["extensions"]["code"], code, "{body}");
        assert!(error["message"].as_str().is_some_and(|m| m.ends_with('.')), "a Dutch sentence: {body}");
        assert!(error["extensions"]["requestId"].as_str().is_some_and(|id| id.starts_with("req_")), "{body}");
        error
    }

    /// Returns what a repeated request repeats: the status, the headers but for request id, date and length, and the body.
    pub fn bare(&self) -> (u16, Vec<(String, String)>, String) {
        let varying = ["x-request-id", "date", "content-length"];
        let headers = self.headers.iter().filter(|(name, _)| !varying.contains(&name.as_str()));
        let text = |value: &HeaderValue| value.to_str().expect("ASCII").to_owned();
        let mut headers: Vec<_> = headers.map(|(name, value)| (name.to_string(), text(value))).collect();
        headers.sort();
        let id = self.header("x-request-id").expect("a request id");
        (self.status, headers, self.text().replace(id, "<request>"))
    }

    /// The one top-level error of an answer that may hold data, with any status.
    #[track_caller]
    pub fn error_code(&self) -> String {
        let body = self.json();
        body["errors"][0]["extensions"]["code"].as_str().unwrap_or_else(|| panic!("no error: {body}")).to_owned()
    }
}

/// The user errors of a payload. The field of one without a path is empty.
#[track_caller]
pub fn user_faults(payload: &Value) -> Vec<UserFault> {
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("not a text: {payload}")).to_owned();
    payload["userErrors"]
        .as_array()
        .unwrap_or_else(|| panic!("no userErrors: {payload}"))
        .iter()
        .map(|error| UserFault {
            code: text(&error["code"]),
            field: error["field"].as_array().into_iter().flatten().map(text).collect::<Vec<_>>().join("."),
            message: text(&error["message"]),
        })
        .collect()
}

/// The codes and fields of user errors.
pub fn codes_of(faults: &[UserFault]) -> Vec<(&str, &str)> {
    faults.iter().map(|fault| (fault.code.as_str(), fault.field.as_str())).collect()
}
