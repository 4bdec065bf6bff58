//! Fields with arguments, in cycles, and named by the project, of objects that are no `Node`: they are methods.

use std::borrow::Cow;
use std::sync::Arc;

use dated_graphql::FieldError;

use crate::generated::resolved_field as generated;
use crate::model::{Address, City, Person, Stadium};
use crate::{Context, assert_answers};
use generated::{v2026_10, v2027_01};

fn person(name: &str) -> Arc<Person> {
    Arc::new(Person { name: name.to_owned() })
}

impl v2026_10::Person for Person {
    async fn name(&self, _: &Context, upper: Option<bool>) -> Result<Cow<'static, str>, FieldError> {
        Ok(if upper == Some(true) { self.name.to_uppercase().into() } else { self.name.clone().into() })
    }

    fn age(&self, _: &Context) -> Option<i32> {
        Some(40)
    }

    async fn friends(&self, _: &Context) -> Result<Vec<Arc<Person>>, FieldError> {
        Ok(vec![person(if self.name == "ann" { "bob" } else { "ann" })])
    }

    async fn address(&self, _: &Context) -> Result<Arc<Address>, FieldError> {
        Ok(Arc::new(Address))
    }
}

impl v2027_01::Person for Person {
    async fn height(&self, _: &Context, unit: v2027_01::Unit) -> Result<i32, FieldError> {
        Ok(if unit == v2027_01::Unit::Foot { 6 } else { 2 })
    }
}

impl v2026_10::Address for Address {
    async fn street(&self, _: &Context, short: bool) -> Result<Option<Cow<'static, str>>, FieldError> {
        Ok((!short).then(|| "Long Street".into()))
    }

    fn city<'a>(&'a self, _: &'a Context) -> v2026_10::City<'a> {
        v2026_10::City { name: "Delft".into() }
    }
}

impl v2027_01::Address for Address {
    async fn city(&self, _: &Context) -> Result<Arc<City>, FieldError> {
        Ok(Arc::new(City))
    }
}

impl v2027_01::City for City {
    async fn name(&self, _: &Context, upper: Option<bool>) -> Result<Cow<'static, str>, FieldError> {
        Ok(if upper == Some(true) { "DELFT".into() } else { "Delft".into() })
    }
}

impl v2026_10::Stadium for Stadium {
    fn name<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        "Park".into()
    }

    async fn seats(&self, cx: &Context) -> Result<Option<i32>, FieldError> {
        if cx.books.is_empty() { Ok(None) } else { Err(FieldError::new("UNAVAILABLE", "the seats are being counted")) }
    }
}

impl v2026_10::Query for Context {
    async fn name(&self, _: Option<bool>) -> Result<Cow<'static, str>, FieldError> {
        Ok("root".into())
    }

    async fn named(&self) -> Result<v2026_10::Named, FieldError> {
        Ok(v2026_10::Named::Person(person("ann")))
    }

    async fn person(&self, name: String) -> Result<Option<Arc<Person>>, FieldError> {
        Ok(Some(person(&name)))
    }

    async fn team(&self) -> Result<v2026_10::Team, FieldError> {
        let members = vec![person("ann"), person("bob")];
        Ok(v2026_10::Team { title: "all".into(), members, stadium: Some(Arc::new(Stadium)) })
    }
}

#[test]
fn named_field_is_resolved() {
    let answer = r#"{"team":{"stadium":{"name":"Park","seats":null}}},"errors":[{"message":"the seats are being counted","locations":[{"line":1,"column":25}],"path":["team","stadium","seats"],"extensions":{"code":"UNAVAILABLE"}}]"#;
    assert_answers(generated::engines, &[("2026-10", "{ team { stadium { name seats } } }", answer)]);
}

#[test]
fn argument_of_an_object_without_identity_arrives() {
    assert_answers(
        generated::engines,
        &[
            (
                "2026-10",
                r#"{ person(name: "ann") {
                    name(upper: true)
                    friends { name(upper: true) friends { name age } }
                    address { city { name } }
                } }"#,
                r#"{"person":{"name":"ANN","friends":[{"name":"BOB","friends":[{"name":"ann","age":40}]}],"address":{"city":{"name":"Delft"}}}}"#,
            ),
            (
                "2026-10",
                "{ team { title members { name(upper: true) } } }",
                r#"{"team":{"title":"all","members":[{"name":"ANN"},{"name":"BOB"}]}}"#,
            ),
            ("2026-10", "{ named { name(upper: true) } }", r#"{"named":{"name":"ANN"}}"#),
            // The struct of the first version is resolved in the second.
            (
                "2027-01",
                r#"{ person(name: "ann") { address { city { name(upper: true) } } height(unit: FOOT) } }"#,
                r#"{"person":{"address":{"city":{"name":"DELFT"}},"height":6}}"#,
            ),
        ],
    );
}
