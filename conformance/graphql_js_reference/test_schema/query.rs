//! The query root of the test schema.

use std::borrow::Cow;
use std::sync::Arc;

use chrono::NaiveDate;
use dated_graphql::Parsed;
use serde_json::{Value as Json, json};

use super::model::{self, TestData};
use super::shown::shown;
use super::{Context, Resolved, all, failure, found, pet, place, text};
use crate::vtest::{Animal, Filter, Habitat, Named, Node, OneOf, Pet, Point, Query};

type Text = Option<Cow<'static, str>>;

impl Query for Context {
    async fn keeper(&self, id: String) -> Resolved<Option<Arc<model::Keeper>>> {
        Ok(TestData::get().keeper(&id))
    }
    async fn must_keeper(&self, id: String) -> Resolved<Arc<model::Keeper>> {
        TestData::get().keeper(&id).ok_or_else(|| failure("unknown"))
    }
    async fn keepers(&self, ids: Option<Vec<String>>) -> Resolved<Option<Vec<Option<Arc<model::Keeper>>>>> {
        Ok(Some(match ids {
            Some(ids) => found(&ids.into_iter().map(Some).collect::<Vec<_>>()),
            None => TestData::get().keepers().map(Some).collect(),
        }))
    }
    async fn strict_keepers(&self, ids: Vec<String>) -> Resolved<Option<Vec<Arc<model::Keeper>>>> {
        all(&ids).map(Some)
    }
    async fn strictest_keepers(&self, ids: Option<Vec<String>>) -> Resolved<Vec<Arc<model::Keeper>>> {
        all(&ids.ok_or_else(|| failure("no ids"))?)
    }
    async fn node(&self, id: String) -> Resolved<Option<Node>> {
        let test_schema = TestData::get();
        if id == "boom" {
            return Err(failure("boom"));
        }
        let animal = || test_schema.dog(&id).map(Node::Dog).or_else(|| test_schema.fish(&id).map(Node::Fish));
        Ok(test_schema.keeper(&id).map(Node::Keeper).or_else(animal))
    }
    async fn named(&self) -> Resolved<Option<Vec<Option<Named>>>> {
        let test_schema = TestData::get();
        Ok(Some(vec![
            test_schema.keeper("1").map(Named::Keeper),
            None,
            test_schema.dog("d1").map(Named::Dog),
            test_schema.fish("f1").map(Named::Fish),
        ]))
    }
    async fn animal(&self, id: Option<String>) -> Resolved<Option<Animal>> {
        let Some(id) = id else { return Err(failure("no id")) };
        let test_schema = TestData::get();
        Ok(test_schema.dog(&id).map(Animal::Dog).or_else(|| test_schema.fish(&id).map(Animal::Fish)))
    }
    async fn animals(&self) -> Resolved<Vec<Animal>> {
        let test_schema = TestData::get();
        let dogs = ["d1", "d2"].into_iter().filter_map(|id| test_schema.dog(id).map(Animal::Dog));
        Ok(dogs.chain(test_schema.fish("f1").map(Animal::Fish)).collect())
    }
    async fn pet(&self, id: String) -> Resolved<Option<Pet>> {
        Ok(pet(&id))
    }
    async fn pets(&self) -> Resolved<Option<Vec<Option<Pet>>>> {
        Ok(Some(vec![pet("d1"), None, pet("f1"), pet("r1")]))
    }
    async fn fail(&self) -> Resolved<Text> {
        Err(failure("fail"))
    }
    async fn must_fail(&self) -> Resolved<i32> {
        Err(failure("mustFail"))
    }
    async fn place(&self) -> Resolved<Option<Arc<model::Place>>> {
        Ok(TestData::get().keeper("1").and_then(|keeper| keeper.data.home.as_ref().map(place)))
    }
    async fn json(
        &self,
        value: Option<Json>,
        values: Option<Vec<Json>>,
        number: Json,
    ) -> Resolved<Option<Cow<'static, Json>>> {
        Ok(Some(Cow::Owned(json!({ "number": number, "value": value, "values": values }))))
    }
    async fn scalars(
        &self,
        i: Option<i32>,
        f: Option<f64>,
        s: Option<String>,
        b: Option<bool>,
        id: Option<String>,
        h: Option<Habitat>,
        d: Option<Parsed<NaiveDate>>,
        a: Option<String>,
    ) -> Resolved<Text> {
        Ok(Some(text(shown!("i": i, "f": f, "s": s, "b": b, "id": id, "h": h, "d": d, "a": a))))
    }
    async fn required(
        &self,
        i: i32,
        f: f64,
        s: String,
        b: bool,
        id: String,
        h: Habitat,
        d: Parsed<NaiveDate>,
    ) -> Resolved<Cow<'static, str>> {
        Ok(text(shown!("i": i, "f": f, "s": s, "b": b, "id": id, "h": h, "d": d)))
    }
    async fn defaults(
        &self,
        i: Option<i32>,
        n: Option<i32>,
        r: i32,
        f: Option<f64>,
        w: Option<f64>,
        s: Option<String>,
        b: Option<bool>,
        id: Option<String>,
        number: Option<String>,
        h: Option<Habitat>,
        l: Option<Vec<i32>>,
        one: Option<Vec<Option<i32>>>,
        p: Option<Point>,
        ps: Option<Vec<Point>>,
        filter: Option<Filter>,
        block: Option<String>,
        old: Option<i32>,
    ) -> Resolved<Text> {
        let shown = shown!(
            "i": i, "n": n, "r": r, "f": f, "w": w, "s": s, "b": b, "id": id, "number": number, "h": h, "l": l,
            "one": one, "p": p, "ps": ps, "filter": filter, "block": block, "old": old,
        );
        Ok(Some(text(shown)))
    }
    async fn lists(
        &self,
        a: Option<Vec<Option<i32>>>,
        b: Option<Vec<i32>>,
        c: Option<Vec<Option<Vec<Option<i32>>>>>,
        d: Vec<i32>,
        e: Option<Vec<Option<Habitat>>>,
        f: Option<Vec<Vec<Habitat>>>,
    ) -> Resolved<Text> {
        Ok(Some(text(shown!("a": a, "b": b, "c": c, "d": d, "e": e, "f": f))))
    }
    async fn filter(&self, filter: Option<Filter>) -> Resolved<Text> {
        Ok(Some(text(shown!("filter": filter))))
    }
    async fn must_filter(&self, filter: Filter) -> Resolved<Text> {
        Ok(Some(text(shown!("filter": filter))))
    }
    async fn filters(&self, filters: Option<Vec<Filter>>) -> Resolved<Text> {
        Ok(Some(text(shown!("filters": filters))))
    }
    async fn one_of(&self, of: Option<OneOf>) -> Resolved<Text> {
        Ok(Some(text(shown!("of": of))))
    }
    async fn must_one_of(&self, of: OneOf) -> Resolved<Text> {
        Ok(Some(text(shown!("of": of))))
    }
    async fn deprecated_field(&self) -> Resolved<Text> {
        Ok(None)
    }
}
