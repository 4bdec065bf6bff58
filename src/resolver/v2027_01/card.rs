//! What version 2027-01 adds to `Card`: its timestamps and its visibility.

use crate::base::Timestamp;
use crate::generated::v2027_01;
use crate::model::Card;
use crate::resolver::Context;

impl v2027_01::Card for Card {
    fn ordered_at(&self, _: &Context) -> Option<Timestamp> {
        self.ordered_at
    }

    fn activated_at(&self, _: &Context) -> Option<Timestamp> {
        self.activated_at
    }

    fn visibility(&self, _: &Context) -> v2027_01::CardVisibility {
        self.visibility.into()
    }
}
