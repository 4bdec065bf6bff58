//! Enums of the schema, and the enums of the model that they show.

use crate::generated::v2026_10 as api;
use crate::model;

/// Converts an enum to one whose variants have the same names.
macro_rules! same_variants {
    ($from:ty => $to:ty { $($variant:ident),+ }) => {
        impl From<$from> for $to {
            fn from(value: $from) -> Self {
                match value {
                    $(<$from>::$variant => Self::$variant),+
                }
            }
        }
    };
}
pub(in crate::resolver) use same_variants;

same_variants!(model::CardStatus => api::CardStatus { Draft, Ordered, Active });
same_variants!(model::SessionTarget => api::CardSessionTarget { Customizer, InviteeList });
same_variants!(api::CardSessionTarget => model::SessionTarget { Customizer, InviteeList });
same_variants!(model::Topic => api::WebhookSubscriptionTopic { CardsCreate, CardsUpdate, CardsOrdered, CardsActivated });
same_variants!(api::WebhookSubscriptionTopic => model::Topic { CardsCreate, CardsUpdate, CardsOrdered, CardsActivated });
