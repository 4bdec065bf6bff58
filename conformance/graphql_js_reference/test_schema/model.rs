//! The entities of the test schema, read from `test_schema.json` once.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct TestData {
    keepers: Vec<KeeperData>,
    dogs: Vec<AnimalData>,
    fish: Vec<FishData>,
    pub rocks: Vec<RockData>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeeperData {
    pub id: String,
    pub name: Option<String>,
    pub badge: Option<i32>,
    pub height: Option<f64>,
    pub hired: Option<String>,
    pub site: Option<String>,
    pub active: bool,
    pub tags: Vec<String>,
    pub notes: Option<Vec<Option<String>>>,
    pub grid: Option<Vec<Option<Vec<Option<i32>>>>>,
    pub strict_grid: Option<Vec<Vec<i32>>>,
    pub home: Option<PlaceData>,
    pub office: PlaceData,
    pub places: Option<Vec<PlaceData>>,
    pub may_places: Option<Vec<Option<PlaceData>>>,
    pub grounds: Option<Vec<Option<Vec<PlaceData>>>>,
    pub deputy: Option<String>,
    pub boss: Option<String>,
    pub team: Option<Vec<Option<String>>>,
    pub strict_team: Option<Vec<String>>,
    pub strictest_team: Vec<String>,
    pub shifts: Option<Vec<Option<Vec<Option<String>>>>>,
    pub strict_shifts: Option<Vec<Vec<String>>>,
    pub pet: Option<String>,
    pub pets: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaceData {
    pub street: Option<String>,
    pub number: Option<i32>,
    pub open: bool,
    pub habitat: Option<String>,
    pub habitats: Option<Vec<String>>,
    pub within: Option<Vec<Option<PlaceData>>>,
    pub must_within: InnerData,
}

#[derive(Debug, Deserialize)]
pub struct InnerData {
    pub depth: i32,
    pub label: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct AnimalData {
    pub id: String,
    pub name: Option<String>,
    pub legs: Option<i32>,
    pub keeper: Option<String>,
    pub barks: Option<bool>,
    pub size: Option<i32>,
    pub likes: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct FishData {
    pub id: String,
    pub name: Option<String>,
    pub legs: Option<i32>,
    pub keeper: Option<String>,
    pub depth: Option<f64>,
    pub size: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct RockData {
    pub id: String,
    pub name: Option<String>,
    pub weight: f64,
}

#[derive(Clone, Debug)]
pub struct Keeper {
    pub data: &'static KeeperData,
    pub renamed: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Place(pub &'static PlaceData);

/// A card, with cards below it down to level 0.
#[derive(Clone, Debug)]
pub struct Card {
    pub keeper: Keeper,
    pub level: u8,
}

#[derive(Clone, Debug)]
pub struct Dog(pub &'static AnimalData);

#[derive(Clone, Debug)]
pub struct Fish(pub &'static FishData);

impl TestData {
    pub fn get() -> &'static TestData {
        static DATA: LazyLock<TestData> = LazyLock::new(|| {
            serde_json::from_str(include_str!("../test_schema.json")).expect("the test_schema is as it should be")
        });
        &DATA
    }

    pub fn keeper(&'static self, id: &str) -> Option<Arc<Keeper>> {
        let data = self.keepers.iter().find(|keeper| keeper.id == id)?;
        Some(Arc::new(Keeper { data, renamed: None }))
    }

    pub fn keepers(&'static self) -> impl Iterator<Item = Arc<Keeper>> {
        self.keepers.iter().map(|data| Arc::new(Keeper { data, renamed: None }))
    }

    pub fn dog(&'static self, id: &str) -> Option<Arc<Dog>> {
        self.dogs.iter().find(|dog| dog.id == id).map(|dog| Arc::new(Dog(dog)))
    }

    pub fn fish(&'static self, id: &str) -> Option<Arc<Fish>> {
        self.fish.iter().find(|fish| fish.id == id).map(|fish| Arc::new(Fish(fish)))
    }
}
