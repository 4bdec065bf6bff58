//! Hooks around operations and resolvers; arguments that tell absent and null apart; a resolver that ends with an error though its
//! signature has none.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use dated_graphql::{Executed, FieldError, FieldInfo, Limits, Patch, PreparedOperation, Request, RequestContext};
use futures_util::FutureExt as _;

use crate::generated::hooks as generated;
use generated::v2026_10::{self, Address, Mutation, Query};

/// A context that notes what runs.
#[derive(Default)]
pub struct Context {
    log: Mutex<Vec<String>>,
}

impl Context {
    fn note(&self, line: String) {
        self.log.lock().unwrap().push(line);
    }
}

impl RequestContext for Context {
    async fn around_operation<F: Future<Output = Executed> + Send>(
        &self,
        operation: &PreparedOperation,
        execute: impl FnOnce() -> F + Send,
    ) -> Executed {
        if operation.name() == Some("Blocked") {
            return Executed::refuse("FORBIDDEN", "Not this \"one\".");
        }
        self.note(format!("{:?}", operation.name()));
        let executed = execute().await;
        self.note(format!("errors: {}", executed.error_codes.join(" ")));
        executed
    }

    fn check_field(&self, field: FieldInfo<'_>) -> Result<(), FieldError> {
        let is_refused = match field.parent() {
            "Address" => matches!(field.name(), "zip" | "secret"),
            "Person" => field.name() == "phone",
            _ => matches!(field.name(), "locked" | "__typename" | "__schema"),
        };
        if is_refused { Err(FieldError::new("FORBIDDEN", format!("Not {}.", field.coordinate()))) } else { Ok(()) }
    }

    async fn around_field<T, F: Future<Output = Result<T, FieldError>> + Send>(
        &self,
        field: FieldInfo<'_>,
        resolve: impl FnOnce() -> F + Send,
    ) -> Result<T, FieldError> {
        if field.coordinate() == "Query.salary" {
            return Err(FieldError::new("FORBIDDEN", "Not for you."));
        }
        self.note(format!("{} {} {}", field.parent(), field.name(), field.path()));
        resolve().await
    }
}

#[derive(Clone, Debug)]
pub struct Person;

impl v2026_10::Person for Person {
    fn name<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        FieldError::not_implemented().unwind()
    }

    async fn friends(&self, _: &Context) -> Result<Vec<Arc<Person>>, FieldError> {
        Ok(vec![Arc::new(Self)])
    }

    fn phone<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        unreachable!("it is refused before it is read")
    }

    fn address<'a>(&'a self, _: &'a Context) -> Option<Address<'a>> {
        Some(Address { street: "s".into(), zip: Some("z".into()), secret: "x".into() })
    }

    fn addresses<'a>(&'a self, context: &'a Context) -> Vec<Option<Address<'a>>> {
        vec![self.address(context), None]
    }
}

impl Query for Context {
    async fn note(&self, text: Patch<String>, must: i32, count: Option<i32>) -> Result<Cow<'static, str>, FieldError> {
        Ok(format!("{text:?} {must} {count:?}").into())
    }

    async fn salary(&self) -> Result<Option<i32>, FieldError> {
        Ok(Some(1))
    }

    async fn locked(&self) -> Result<Option<i32>, FieldError> {
        unreachable!("it is refused before it is read")
    }

    async fn person(&self) -> Result<Option<Arc<Person>>, FieldError> {
        Ok(Some(Arc::new(Person)))
    }
}

impl Mutation for Context {
    async fn locked(&self) -> Result<Option<i32>, FieldError> {
        unreachable!("it is refused before it is read")
    }

    async fn note(&self, text: Patch<String>) -> Result<Cow<'static, str>, FieldError> {
        Ok(format!("{text:?}").into())
    }
}

/// The data of a document, and the paths and messages of its errors.
#[test]
fn field_that_the_caller_may_not_read_is_null_with_an_error() {
    let engines = generated::engines(Limits::DEFAULT);
    for (document, data, errors) in [
        // Resolved, alone and beside others.
        ("{ locked }", r#"{"locked":null}"#, &[r#"["locked"] Not Query.locked."#][..]),
        (
            "{ locked person { __typename } }",
            r#"{"locked":null,"person":{"__typename":"Person"}}"#,
            &[r#"["locked"] Not Query.locked."#],
        ),
        ("mutation { locked }", r#"{"locked":null}"#, &[r#"["locked"] Not Mutation.locked."#]),
        // Stored in an object with resolvers, and in one without.
        ("{ person { phone } }", r#"{"person":{"phone":null}}"#, &[r#"["person","phone"] Not Person.phone."#]),
        (
            "{ person { a: phone friends { __typename } b: friends { __typename } } }",
            r#"{"person":{"a":null,"friends":[{"__typename":"Person"}],"b":[{"__typename":"Person"}]}}"#,
            &[r#"["person","a"] Not Person.phone."#],
        ),
        (
            "{ person { address { street zip } } }",
            r#"{"person":{"address":{"street":"s","zip":null}}}"#,
            &[r#"["person","address","zip"] Not Address.zip."#],
        ),
        // Null propagates from a field that is never null.
        (
            "{ person { address { secret } addresses { secret street } } }",
            r#"{"person":{"address":null,"addresses":[null,null]}}"#,
            &[
                r#"["person","address","secret"] Not Address.secret."#,
                r#"["person","addresses",0,"secret"] Not Address.secret."#,
            ],
        ),
        ("{ person { address { __typename } } }", r#"{"person":{"address":{"__typename":"Address"}}}"#, &[]),
        (
            "{ person { __typename } __schema { queryType { name } } }",
            r#"{"person":{"__typename":"Person"},"__schema":{"queryType":{"name":"Query"}}}"#,
            &[],
        ),
    ] {
        let body = serde_json::json!({ "query": document }).to_string();
        let prepared = engines[0].prepare(&Request::parse(body.as_bytes()).unwrap()).unwrap();
        let executed = engines[0].execute(&prepared, &Context::default()).now_or_never().unwrap();
        let text = str::from_utf8(&executed.body).unwrap();
        assert!(text.starts_with(&format!("{{\"data\":{data}")), "{document}: {text}");
        let answer: serde_json::Value = serde_json::from_str(text).unwrap();
        let said = answer["errors"].as_array().into_iter().flatten();
        let said: Vec<_> =
            said.map(|error| format!("{} {}", error["path"], error["message"].as_str().unwrap())).collect();
        assert_eq!(said, errors, "{document}");
    }
}

#[test]
fn hooks_run_around_operations_and_resolvers() {
    let engines = generated::engines(Limits::DEFAULT);
    // Document; response; what the hooks noted.
    let cases: [(&str, &str, &[&str]); 9] = [
        (
            "{ note(must: 1) a: note(text: null, must: 1, count: null) }",
            r#"{"data":{"note":"Absent 1 Some(1)","a":"Null 1 None"}}"#,
            &["None", "Query note note", "Query note a", "errors: "],
        ),
        (
            "query Named($a: String) { note(text: $a, must: 1) }",
            r#"{"data":{"note":"Absent 1 Some(1)"}}"#,
            &["Some(\"Named\")", "Query note note", "errors: "],
        ),
        (
            "mutation { note(text: \"a\") }",
            r#"{"data":{"note":"Value(\"a\")"}}"#,
            &["None", "Mutation note note", "errors: "],
        ),
        (
            "{ salary }",
            r#"{"data":{"salary":null},"errors":[{"message":"Not for you.","locations":[{"line":1,"column":3}],"path":["salary"],"extensions":{"code":"FORBIDDEN"}}]}"#,
            &["None", "errors: FORBIDDEN"],
        ),
        (
            "{ person { friends { friends { __typename } } } }",
            r#"{"data":{"person":{"friends":[{"friends":[{"__typename":"Person"}]}]}}}"#,
            &[
                "None",
                "Query person person",
                "Person friends person.friends",
                "Person friends person.friends.0.friends",
                "errors: ",
            ],
        ),
        (
            "{ person { name } }",
            r#"{"data":{"person":null},"errors":[{"message":"This field is not implemented yet.","locations":[{"line":1,"column":3}],"path":["person"],"extensions":{"code":"NOT_IMPLEMENTED"}}]}"#,
            &["None", "Query person person", "errors: NOT_IMPLEMENTED"],
        ),
        (
            "query Blocked { salary }",
            r#"{"errors":[{"message":"Not this \"one\".","extensions":{"code":"FORBIDDEN"}}]}"#,
            &[],
        ),
        (
            "query Blocked { __schema { queryType { name } } }",
            r#"{"errors":[{"message":"Not this \"one\".","extensions":{"code":"FORBIDDEN"}}]}"#,
            &[],
        ),
        ("{ __typename }", r#"{"data":{"__typename":"Query"}}"#, &["None", "errors: "]),
    ];
    for (document, response, log) in cases {
        let context = Context::default();
        let body = serde_json::json!({ "query": document }).to_string();
        let prepared = engines[0].prepare(&Request::parse(body.as_bytes()).unwrap()).unwrap();
        let executed = engines[0].execute(&prepared, &context).now_or_never().unwrap();
        assert_eq!(str::from_utf8(&executed.body).unwrap(), response, "{document}");
        assert_eq!(*context.log.lock().unwrap(), log, "{document}");
        assert_eq!(executed.refused, !response.contains("data"), "{document}");
    }
}
