//! Hooks around operations and resolvers; arguments that tell absent and null apart; a resolver that ends with an error though its
//! signature has none.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use dated_graphql::{Executed, FieldError, FieldInfo, Limits, Patch, PreparedOperation, Request, RequestContext};
use futures_util::FutureExt as _;

use crate::generated::hooks as generated;
use generated::v2026_10::{self, Mutation, Query};

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
}

impl Query for Context {
    async fn note(&self, text: Patch<String>, must: i32, count: Option<i32>) -> Result<Cow<'static, str>, FieldError> {
        Ok(format!("{text:?} {must} {count:?}").into())
    }

    async fn salary(&self) -> Result<Option<i32>, FieldError> {
        Ok(Some(1))
    }

    async fn person(&self) -> Result<Option<Arc<Person>>, FieldError> {
        Ok(Some(Arc::new(Person)))
    }
}

impl Mutation for Context {
    async fn note(&self, text: Patch<String>) -> Result<Cow<'static, str>, FieldError> {
        Ok(format!("{text:?}").into())
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
