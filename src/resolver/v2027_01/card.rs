//! What version 2027-01 adds to `Card`: the moments of its life.

use crate::base::Moment;
use crate::generated::v2027_01;
use crate::model::Card;
use crate::resolver::Context;

impl v2027_01::Card for Card {
    fn ordered_at(&self, _: &Context) -> Option<Moment> {
        self.ordered_at
    }

    fn activated_at(&self, _: &Context) -> Option<Moment> {
        self.activated_at
    }
}
