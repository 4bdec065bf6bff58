//! Fields with arguments and cycles of objects that are no `Node`: they are methods, and their arguments arrive.

use std::borrow::Cow;

use crate::Context;
use crate::engine::{Field, FieldError, Limits, Value, ask};
use crate::generated::resolved_field as generated;
use crate::model::{Address, City, Person};
use generated::{v2026_10, v2027_01};

fn person(name: &str) -> Person {
    Person { name: name.to_owned() }
}

impl v2026_10::Person for Person {
    async fn name(&self, _: &Context, upper: Option<bool>) -> Result<Cow<'static, str>, FieldError> {
        Ok(if upper == Some(true) { self.name.to_uppercase().into() } else { self.name.clone().into() })
    }

    fn age(&self, _: &Context) -> Option<i32> {
        Some(40)
    }

    async fn friends(&self, _: &Context) -> Result<Vec<Person>, FieldError> {
        Ok(vec![person(if self.name == "ann" { "bob" } else { "ann" })])
    }

    async fn address(&self, _: &Context) -> Result<Address, FieldError> {
        Ok(Address)
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
    async fn city(&self, _: &Context) -> Result<City, FieldError> {
        Ok(City)
    }
}

impl v2027_01::City for City {
    async fn name(&self, _: &Context, upper: Option<bool>) -> Result<Cow<'static, str>, FieldError> {
        Ok(if upper == Some(true) { "DELFT".into() } else { "Delft".into() })
    }
}

impl v2026_10::Query for Context {
    async fn name(&self, _: Option<bool>) -> Result<Cow<'static, str>, FieldError> {
        Ok("root".into())
    }

    async fn named(&self) -> Result<v2026_10::Named, FieldError> {
        Ok(v2026_10::Named::Person(person("ann")))
    }

    async fn person(&self, name: String) -> Result<Option<Person>, FieldError> {
        Ok(Some(person(&name)))
    }

    async fn team(&self) -> Result<v2026_10::Team, FieldError> {
        Ok(v2026_10::Team { title: "all".into(), members: vec![person("ann"), person("bob")] })
    }
}

#[test]
fn argument_of_an_object_without_identity_arrives() {
    let (engines, cx) = (generated::engines(Limits), Context::new());
    let name = |upper| Field::new("name").with("upper", Value::Boolean(upper));
    let city = Field::new("address").select([Field::new("city").select([Field::new("name")])]);
    let friends = |fields: [Field; 2]| Field::new("friends").select(fields);
    let person = |fields: Vec<Field>| Field::new("person").with("name", Value::String("ann")).select(fields);
    let deep = friends([name(true), friends([name(false), Field::new("age")])]);
    let answer = r#"{"person":{"name":"ANN","friends":[{"name":"BOB","friends":[{"name":"ann","age":40}]}],"address":{"city":{"name":"Delft"}}}}"#;
    assert_eq!(ask(&engines, "2026-10", &cx, person(vec![name(true), deep, city])), answer);
    let team = Field::new("team").select([Field::new("title"), Field::new("members").select([name(true)])]);
    let answer = r#"{"team":{"title":"all","members":[{"name":"ANN"},{"name":"BOB"}]}}"#;
    assert_eq!(ask(&engines, "2026-10", &cx, team), answer);
    let answer = r#"{"named":{"name":"ANN"}}"#;
    assert_eq!(ask(&engines, "2026-10", &cx, Field::new("named").select([name(true)])), answer);
    // The struct of the first version is resolved in the second.
    let city = Field::new("address").select([Field::new("city").select([name(true)])]);
    let height = Field::new("height").with("unit", Value::Enum("FOOT"));
    let answer = r#"{"person":{"address":{"city":{"name":"DELFT"}},"height":6}}"#;
    assert_eq!(ask(&engines, "2027-01", &cx, person(vec![city, height])), answer);
}
