//! The resolvers: the traits of each version, implemented for the types of the model and for the context.
//!
//! A version has traits only for what it changes. `Starship` of 2026-10 adds `pilots` to `Starship` of 2026-01: one method.
//! `Review` and `ReviewInput` of both are one struct each, which has the color that 2026-10 adds.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError};

use dated_graphql::{FieldError, Parsed, code};

use crate::Context;
use crate::generated::v2026_01::{
    Character, Episode, FriendsConnection, FriendsEdge, LengthUnit, Review, ReviewInput, SearchResult,
};
use crate::generated::{v2026_01, v2026_10};
use crate::model::{self, Color, DROIDS, Droid, HUMANS, Human, STARSHIPS, Starship};

impl v2026_01::Query for Context {
    async fn hero(&self, episode: Option<Episode>) -> Result<Character, FieldError> {
        Ok(match episode {
            Some(Episode::Empire) => Character::Human(Arc::new(HUMANS[0])),
            _ => Character::Droid(Arc::new(DROIDS[1])),
        })
    }

    async fn character(&self, id: String) -> Result<Option<Character>, FieldError> {
        Ok(model::character(&id))
    }

    async fn starship(&self, id: String) -> Result<Option<Arc<Starship>>, FieldError> {
        Ok(model::starship(&id))
    }

    async fn search(&self, text: String) -> Result<Vec<SearchResult>, FieldError> {
        let humans = HUMANS.iter().filter(|human| human.name.contains(&text));
        let droids = DROIDS.iter().filter(|droid| droid.name.contains(&text));
        let ships = STARSHIPS.iter().filter(|ship| ship.name.contains(&text));
        let mut found: Vec<_> = humans.map(|human| SearchResult::Human(Arc::new(*human))).collect();
        found.extend(droids.map(|droid| SearchResult::Droid(Arc::new(*droid))));
        found.extend(ships.map(|ship| SearchResult::Starship(Arc::new(*ship))));
        Ok(found)
    }

    async fn reviews(&self, episode: Episode) -> Result<Vec<Review>, FieldError> {
        let reviews = self.store.reviews.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(reviews.iter().filter(|(of, _)| *of == episode).map(|(_, review)| review.clone()).collect())
    }
}

impl v2026_01::Mutation for Context {
    async fn create_review(&self, episode: Episode, review: ReviewInput) -> Result<Review, FieldError> {
        let stars = review.stars;
        if !(0..=5).contains(&stars) {
            return Err(FieldError::new(code::BAD_USER_INPUT, format!("{stars} stars are not between 0 and 5.")));
        }
        let color = review.color.value().map(Parsed::ok).transpose();
        let color = color.map_err(|text| FieldError::new(code::BAD_USER_INPUT, format!("`{text}` is no color.")))?;
        let review = Review { stars, commentary: review.commentary.value().map(Cow::Owned), color };
        self.store.reviews.lock().unwrap_or_else(PoisonError::into_inner).push((episode, review.clone()));
        Ok(review)
    }
}

impl v2026_01::Human for Human {
    fn id(&self, _: &Context) -> Cow<'_, str> {
        self.id.into()
    }

    fn name(&self, _: &Context) -> Cow<'_, str> {
        self.name.into()
    }

    async fn friends(&self, cx: &Context) -> Result<Vec<Character>, FieldError> {
        load_friends(cx, self.id).await
    }

    async fn friends_connection(
        &self,
        cx: &Context,
        first: i32,
        after: Option<String>,
    ) -> Result<FriendsConnection, FieldError> {
        page(load_friends(cx, self.id).await?, first, after)
    }

    fn lightsaber(&self, _: &Context) -> Option<Color> {
        self.lightsaber
    }

    async fn height(&self, _: &Context, unit: LengthUnit) -> Result<Option<f64>, FieldError> {
        Ok(self.height_m.map(|height| convert(height, unit)))
    }

    fn mass(&self, _: &Context) -> Option<f64> {
        self.mass_kg
    }

    async fn starships(&self, _: &Context) -> Result<Vec<Arc<Starship>>, FieldError> {
        Ok(self.starships.iter().filter_map(|id| model::starship(id)).collect())
    }
}

impl v2026_01::Droid for Droid {
    fn id(&self, _: &Context) -> Cow<'_, str> {
        self.id.into()
    }

    fn name(&self, _: &Context) -> Cow<'_, str> {
        self.name.into()
    }

    async fn friends(&self, cx: &Context) -> Result<Vec<Character>, FieldError> {
        load_friends(cx, self.id).await
    }

    async fn friends_connection(
        &self,
        cx: &Context,
        first: i32,
        after: Option<String>,
    ) -> Result<FriendsConnection, FieldError> {
        page(load_friends(cx, self.id).await?, first, after)
    }

    fn primary_function(&self, _: &Context) -> Option<Cow<'_, str>> {
        Some(self.function.into())
    }
}

impl v2026_01::Starship for Starship {
    fn id(&self, _: &Context) -> Cow<'_, str> {
        self.id.into()
    }

    fn name(&self, _: &Context) -> Cow<'_, str> {
        self.name.into()
    }

    async fn length(&self, _: &Context, unit: LengthUnit) -> Result<f64, FieldError> {
        Ok(convert(self.length_m, unit))
    }
}

impl v2026_10::Starship for Starship {
    async fn pilots(&self, _: &Context) -> Result<Vec<Arc<Human>>, FieldError> {
        Ok(HUMANS.iter().filter(|human| human.starships.contains(&self.id)).map(|human| Arc::new(*human)).collect())
    }
}

/// Returns the friends of a character. The characters of a list are one lookup.
async fn load_friends(cx: &Context, id: &'static str) -> Result<Vec<Character>, FieldError> {
    Ok(cx.friends.load(id, model::friends).await?.unwrap_or_default())
}

/// Returns the page of `first` friends behind the cursor `after`, which is the id of a friend.
fn page(friends: Vec<Character>, first: i32, after: Option<String>) -> Result<FriendsConnection, FieldError> {
    let bad_input = |message: &str| FieldError::new(code::BAD_USER_INPUT, message);
    let first = usize::try_from(first).ok().filter(|first| (1..=50).contains(first));
    let first = first.ok_or_else(|| bad_input("`first` is a number between 1 and 50."))?;
    let start = match after {
        None => 0,
        Some(after) => {
            let position = friends.iter().position(|friend| id(friend) == after);
            position.ok_or_else(|| bad_input("`after` is not a cursor of this list."))? + 1
        }
    };
    let total_count = i32::try_from(friends.len()).map_err(FieldError::internal)?;
    let has_next_page = start + first < friends.len();
    let edge = |node: Character| FriendsEdge { cursor: id(&node).into(), node };
    let edges = friends.into_iter().skip(start).take(first).map(edge).collect();
    Ok(FriendsConnection { total_count, edges, has_next_page })
}

fn id(character: &Character) -> &'static str {
    match character {
        Character::Human(human) => human.id,
        Character::Droid(droid) => droid.id,
    }
}

fn convert(meters: f64, unit: LengthUnit) -> f64 {
    match unit {
        LengthUnit::Meter => meters,
        LengthUnit::Foot => meters / 0.3048,
    }
}
