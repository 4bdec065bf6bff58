//! The test schema with its resolvers over `test_schema.json`; `test_schema.mjs` has the same for graphql-js.

pub mod model;
mod query;
mod shown;

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::NaiveDate;
use dated_graphql::{FieldError, RequestContext, code};

use model::TestData;
use vtest::{Card, Dog, Fish, Habitat, Inner, Keeper, Mood, Mutation, Pet, Place, Rock};

/// The types and traits that `build.rs` generates.
#[allow(async_fn_in_trait, dead_code, clippy::all)]
pub mod vtest {
    include!(concat!(env!("OUT_DIR"), "/vtest/mod.rs"));
}

pub type Resolved<T> = Result<T, FieldError>;

/// The context of a request to the test schema.
#[derive(Default)]
pub struct Context {
    counted: AtomicI64,
}

impl RequestContext for Context {}

fn failure(what: &str) -> FieldError {
    FieldError::new(code::INTERNAL_SERVER_ERROR, what)
}

/// An angry field fails.
fn calm(mood: Option<Mood>) -> Resolved<()> {
    if mood == Some(Mood::Angry) { Err(failure("angry")) } else { Ok(()) }
}

fn text(text: impl Into<String>) -> Cow<'static, str> {
    Cow::Owned(text.into())
}

fn borrowed(text: &'static Option<String>) -> Option<Cow<'static, str>> {
    text.as_deref().map(Cow::Borrowed)
}

fn nick(name: Option<Cow<'_, str>>, short: Option<bool>) -> Option<Cow<'static, str>> {
    name.map(|name| match short {
        Some(true) => text(name.chars().next().map(String::from).unwrap_or_default()),
        _ => text(format!("the {name}")),
    })
}

fn habitat(name: &str) -> Habitat {
    match name {
        "WATER" => Habitat::Water,
        "LAND" => Habitat::Land,
        "AIR" => Habitat::Air,
        "SPACE" => Habitat::Space,
        _ => Habitat::Void,
    }
}

fn place(data: &'static model::PlaceData) -> Arc<model::Place> {
    Arc::new(model::Place(data))
}

fn pet(id: &str) -> Option<Pet> {
    let test_schema = TestData::get();
    let rock = || {
        let rock = test_schema.rocks.iter().find(|rock| rock.id == id)?;
        Some(Pet::Rock(Rock { name: borrowed(&rock.name), weight: rock.weight }))
    };
    test_schema.dog(id).map(Pet::Dog).or_else(|| test_schema.fish(id).map(Pet::Fish)).or_else(rock)
}

fn found(ids: &[Option<String>]) -> Vec<Option<Arc<model::Keeper>>> {
    ids.iter().map(|id| id.as_deref().and_then(|id| TestData::get().keeper(id))).collect()
}

fn all(ids: &[String]) -> Resolved<Vec<Arc<model::Keeper>>> {
    ids.iter().map(|id| TestData::get().keeper(id).ok_or_else(|| failure("unknown"))).collect()
}

impl Keeper for model::Keeper {
    fn id<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::Borrowed(&self.data.id)
    }
    fn name<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        self.renamed.as_deref().or(self.data.name.as_deref()).map(Cow::Borrowed)
    }
    async fn nick(&self, cx: &Context, short: Option<bool>) -> Resolved<Option<Cow<'static, str>>> {
        Ok(nick(Keeper::name(self, cx), short))
    }
    fn badge(&self, _: &Context) -> Option<i32> {
        self.data.badge
    }
    fn height(&self, _: &Context) -> Option<f64> {
        self.data.height
    }
    fn hired(&self, _: &Context) -> Option<NaiveDate> {
        self.data.hired.as_deref().and_then(|day| day.parse().ok())
    }
    fn site<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        self.data.site.as_deref().map(Cow::Borrowed)
    }
    fn active(&self, _: &Context) -> bool {
        self.data.active
    }
    fn tags<'a>(&'a self, _: &'a Context) -> Vec<Cow<'a, str>> {
        self.data.tags.iter().map(|tag| Cow::Borrowed(&**tag)).collect()
    }
    fn notes<'a>(&'a self, _: &'a Context) -> Option<Vec<Option<Cow<'a, str>>>> {
        self.data.notes.as_ref().map(|notes| notes.iter().map(borrowed).collect())
    }
    fn grid(&self, _: &Context) -> Option<Vec<Option<Vec<Option<i32>>>>> {
        self.data.grid.clone()
    }
    fn strict_grid(&self, _: &Context) -> Option<Vec<Vec<i32>>> {
        self.data.strict_grid.clone()
    }
    async fn home(&self, _: &Context) -> Resolved<Option<Arc<model::Place>>> {
        Ok(self.data.home.as_ref().map(place))
    }
    async fn office(&self, _: &Context) -> Resolved<Arc<model::Place>> {
        Ok(place(&self.data.office))
    }
    async fn places(&self, _: &Context) -> Resolved<Option<Vec<Arc<model::Place>>>> {
        Ok(self.data.places.as_ref().map(|all| all.iter().map(place).collect()))
    }
    async fn may_places(&self, _: &Context) -> Resolved<Option<Vec<Option<Arc<model::Place>>>>> {
        Ok(self.data.may_places.as_ref().map(|all| all.iter().map(|p| p.as_ref().map(place)).collect()))
    }
    async fn grounds(&self, _: &Context) -> Resolved<Option<Vec<Option<Vec<Arc<model::Place>>>>>> {
        let row = |row: &'static Option<Vec<_>>| row.as_ref().map(|row| row.iter().map(place).collect());
        Ok(self.data.grounds.as_ref().map(|rows| rows.iter().map(row).collect()))
    }
    async fn deputy(&self, _: &Context) -> Resolved<Option<Arc<model::Keeper>>> {
        Ok(self.data.deputy.as_deref().and_then(|id| TestData::get().keeper(id)))
    }
    async fn boss(&self, _: &Context) -> Resolved<Arc<model::Keeper>> {
        self.data.boss.as_deref().and_then(|id| TestData::get().keeper(id)).ok_or_else(|| failure("no boss"))
    }
    async fn team(&self, _: &Context) -> Resolved<Option<Vec<Option<Arc<model::Keeper>>>>> {
        Ok(self.data.team.as_deref().map(found))
    }
    async fn strict_team(&self, _: &Context) -> Resolved<Option<Vec<Arc<model::Keeper>>>> {
        self.data.strict_team.as_deref().map(all).transpose()
    }
    async fn strictest_team(&self, _: &Context) -> Resolved<Vec<Arc<model::Keeper>>> {
        all(&self.data.strictest_team)
    }
    async fn shifts(&self, _: &Context) -> Resolved<Option<Vec<Option<Vec<Option<Arc<model::Keeper>>>>>>> {
        let rows = self.data.shifts.as_ref();
        Ok(rows.map(|rows| rows.iter().map(|row| row.as_deref().map(found)).collect()))
    }
    async fn strict_shifts(&self, _: &Context) -> Resolved<Option<Vec<Vec<Arc<model::Keeper>>>>> {
        self.data.strict_shifts.as_ref().map(|rows| rows.iter().map(|row| all(row)).collect()).transpose()
    }
    async fn friend(
        &self,
        _: &Context,
        id: Option<String>,
        mood: Option<Mood>,
    ) -> Resolved<Option<Arc<model::Keeper>>> {
        calm(mood)?;
        Ok(id.and_then(|id| TestData::get().keeper(&id)))
    }
    async fn pet(&self, _: &Context) -> Resolved<Option<Pet>> {
        Ok(self.data.pet.as_deref().and_then(pet))
    }
    async fn pets(&self, _: &Context, first: i32) -> Resolved<Option<Vec<Pet>>> {
        let first = usize::try_from(first).map_err(|_| failure("negative"))?;
        Ok(self.data.pets.as_ref().map(|ids| ids.iter().filter_map(|id| pet(id)).take(first).collect()))
    }
    async fn say(&self, _: &Context, mood: Mood, text: Option<String>) -> Resolved<Option<Cow<'static, str>>> {
        calm(Some(mood))?;
        Ok(text.map(Cow::Owned))
    }
    async fn must_say(&self, _: &Context, mood: Mood) -> Resolved<Cow<'static, str>> {
        calm(Some(mood))?;
        Ok(text("yes"))
    }
    async fn numbers(
        &self,
        _: &Context,
        mood: Option<Mood>,
        of: Option<Vec<i32>>,
    ) -> Resolved<Option<Vec<Option<i32>>>> {
        calm(mood)?;
        Ok(of.map(|of| of.into_iter().map(Some).collect()))
    }
    async fn card(&self, _: &Context, mood: Option<Mood>) -> Resolved<Option<Arc<model::Card>>> {
        calm(mood)?;
        Ok(Some(Arc::new(model::Card { keeper: self.clone(), level: 1 })))
    }
    async fn must_card(&self, _: &Context, mood: Option<Mood>) -> Resolved<Arc<model::Card>> {
        calm(mood)?;
        Ok(Arc::new(model::Card { keeper: self.clone(), level: 1 }))
    }
    fn old<'a>(&'a self, cx: &'a Context) -> Option<Cow<'a, str>> {
        Keeper::name(self, cx)
    }
}

impl Place for model::Place {
    fn street<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        borrowed(&self.0.street)
    }
    fn number(&self, _: &Context) -> Option<i32> {
        self.0.number
    }
    fn open(&self, _: &Context) -> bool {
        self.0.open
    }
    fn habitat(&self, _: &Context) -> Option<Habitat> {
        self.0.habitat.as_deref().map(habitat)
    }
    fn habitats(&self, _: &Context) -> Option<Vec<Habitat>> {
        self.0.habitats.as_ref().map(|all| all.iter().map(|h| habitat(h)).collect())
    }
    async fn within(&self, _: &Context) -> Resolved<Option<Vec<Option<Arc<model::Place>>>>> {
        Ok(self.0.within.as_ref().map(|all| all.iter().map(|p| p.as_ref().map(place)).collect()))
    }
    fn must_within<'a>(&'a self, _: &'a Context) -> Inner<'a> {
        Inner { depth: self.0.must_within.depth, label: borrowed(&self.0.must_within.label) }
    }
}

impl Card for model::Card {
    fn title<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        text(format!("card of {}", self.keeper.data.id))
    }
    async fn holder(&self, cx: &Context) -> Resolved<Option<Arc<model::Keeper>>> {
        self.keeper.deputy(cx).await
    }
    async fn must_holder(&self, _: &Context) -> Resolved<Arc<model::Keeper>> {
        Ok(Arc::new(model::Keeper { renamed: None, ..self.keeper }))
    }
    async fn holders(&self, cx: &Context) -> Resolved<Option<Vec<Arc<model::Keeper>>>> {
        let deputy = self.keeper.deputy(cx).await?;
        Ok(deputy.map(|deputy| vec![Arc::new(model::Keeper { renamed: None, ..self.keeper }), deputy]))
    }
    async fn cards(&self, _: &Context) -> Resolved<Option<Vec<Arc<model::Card>>>> {
        Ok(self.level.checked_sub(1).map(|level| vec![Arc::new(model::Card { level, keeper: self.keeper.clone() })]))
    }
    async fn place(&self, cx: &Context) -> Resolved<Option<Arc<model::Place>>> {
        self.keeper.home(cx).await
    }
}

impl Dog for model::Dog {
    fn id<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::Borrowed(&self.0.id)
    }
    fn name<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        borrowed(&self.0.name)
    }
    async fn nick(&self, _: &Context, short: Option<bool>) -> Resolved<Option<Cow<'static, str>>> {
        Ok(nick(borrowed(&self.0.name), short))
    }
    fn legs(&self, _: &Context) -> Option<i32> {
        self.0.legs
    }
    async fn keeper(&self, _: &Context) -> Resolved<Option<Arc<model::Keeper>>> {
        Ok(self.0.keeper.as_deref().and_then(|id| TestData::get().keeper(id)))
    }
    fn barks(&self, _: &Context) -> Option<bool> {
        self.0.barks
    }
    fn size(&self, _: &Context) -> Option<i32> {
        self.0.size
    }
    async fn likes(&self, _: &Context) -> Resolved<Option<Pet>> {
        Ok(self.0.likes.as_deref().and_then(pet))
    }
}

impl Fish for model::Fish {
    fn id<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::Borrowed(&self.0.id)
    }
    fn name<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        borrowed(&self.0.name)
    }
    async fn nick(&self, _: &Context, short: Option<bool>) -> Resolved<Option<Cow<'static, str>>> {
        Ok(nick(borrowed(&self.0.name), short))
    }
    fn legs(&self, _: &Context) -> Option<i32> {
        self.0.legs
    }
    async fn keeper(&self, _: &Context) -> Resolved<Option<Arc<model::Keeper>>> {
        Ok(self.0.keeper.as_deref().and_then(|id| TestData::get().keeper(id)))
    }
    fn depth(&self, _: &Context) -> Option<f64> {
        self.0.depth
    }
    fn size<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        borrowed(&self.0.size)
    }
}

impl Mutation for Context {
    async fn count(&self, by: Option<i32>) -> Resolved<i32> {
        let by = i64::from(by.unwrap_or_default());
        // graphql-js fails to write a larger number as an Int.
        i32::try_from(self.counted.fetch_add(by, Ordering::SeqCst) + by).map_err(|_| failure("too large"))
    }
    async fn may_count(&self, by: Option<i32>, mood: Option<Mood>) -> Resolved<Option<i32>> {
        let counted = vtest::Mutation::count(self, by).await?;
        calm(mood)?;
        Ok(Some(counted))
    }
    async fn must_count(&self, by: Option<i32>, mood: Option<Mood>) -> Resolved<i32> {
        let counted = vtest::Mutation::count(self, by).await?;
        calm(mood)?;
        Ok(counted)
    }
    async fn rename(&self, id: String, name: Option<String>) -> Resolved<Option<Arc<model::Keeper>>> {
        Ok(TestData::get().keeper(&id).map(|keeper| Arc::new(model::Keeper { renamed: name, data: keeper.data })))
    }
}
