//! Enums of the schema, and the enums of the model that they show.

use std::borrow::Cow;
use std::sync::Arc;

use crate::generated::v2026_10 as api;
use crate::generated::v2026_10::{
    CardUserError, CardUserErrorCode, PageInfo, ThemeConnection, ThemeEdge, WebhookSubscriptionConnection,
    WebhookSubscriptionEdge, WebhookSubscriptionUserError, WebhookSubscriptionUserErrorCode,
};
use crate::model;
use crate::model::{Page, Theme, UserError, UserErrorCode, WebhookSubscription};
use crate::resolver::page::CursorKey;

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

impl From<UserError> for CardUserError {
    fn from(error: UserError) -> Self {
        let code = match error.code {
            UserErrorCode::Blank => CardUserErrorCode::Blank,
            UserErrorCode::Invalid => CardUserErrorCode::Invalid,
            UserErrorCode::Taken => CardUserErrorCode::Taken,
            UserErrorCode::NotFound => CardUserErrorCode::NotFound,
            UserErrorCode::Immutable => CardUserErrorCode::Immutable,
            UserErrorCode::Unprocessable => CardUserErrorCode::Unprocessable,
        };
        Self { code: Some(code), field: field(error.field), message: error.message.into() }
    }
}

impl From<UserError> for WebhookSubscriptionUserError {
    fn from(error: UserError) -> Self {
        let code = match error.code {
            UserErrorCode::Blank => Some(WebhookSubscriptionUserErrorCode::Blank),
            UserErrorCode::Invalid => Some(WebhookSubscriptionUserErrorCode::Invalid),
            UserErrorCode::Taken => Some(WebhookSubscriptionUserErrorCode::Taken),
            UserErrorCode::NotFound => Some(WebhookSubscriptionUserErrorCode::NotFound),
            // Reasons without a code in this schema version; `code` is nullable.
            UserErrorCode::Immutable | UserErrorCode::Unprocessable => None,
        };
        Self { code, field: field(error.field), message: error.message.into() }
    }
}

/// The path of an error; `None` if it is about no field.
pub(in crate::resolver) fn field(path: Vec<&'static str>) -> Option<Vec<Cow<'static, str>>> {
    (!path.is_empty()).then(|| path.into_iter().map(Cow::Borrowed).collect())
}

/// The errors of a payload.
pub(in crate::resolver) fn user_errors<E: From<UserError>>(errors: Vec<UserError>) -> Vec<E> {
    errors.into_iter().map(E::from).collect()
}

impl From<Page<Theme>> for ThemeConnection {
    fn from(page: Page<Theme>) -> Self {
        let cursor = |theme: &Theme| (theme.position, theme.number).to_cursor();
        let (edges, nodes, page_info) = parts(page, cursor, |cursor, node| ThemeEdge { cursor, node });
        Self { edges, nodes, page_info }
    }
}

impl From<Page<WebhookSubscription>> for WebhookSubscriptionConnection {
    fn from(page: Page<WebhookSubscription>) -> Self {
        let cursor = |subscription: &WebhookSubscription| subscription.id.to_cursor();
        let (edges, nodes, page_info) = parts(page, cursor, |cursor, node| WebhookSubscriptionEdge { cursor, node });
        Self { edges, nodes, page_info }
    }
}

/// Returns the edges, the nodes and the `PageInfo` of a page.
pub(in crate::resolver) fn parts<T, E>(
    page: Page<T>,
    cursor: impl Fn(&T) -> String,
    edge: impl Fn(Cow<'static, str>, Arc<T>) -> E,
) -> (Vec<E>, Vec<Arc<T>>, PageInfo) {
    let cursor = |item: &T| Cow::from(cursor(item));
    let page_info = PageInfo {
        has_next_page: page.has_next,
        has_previous_page: page.has_previous,
        start_cursor: page.items.first().map(cursor),
        end_cursor: page.items.last().map(cursor),
    };
    let nodes: Vec<Arc<T>> = page.items.into_iter().map(Arc::new).collect();
    let edges = nodes.iter().map(|node| edge(cursor(node), Arc::clone(node))).collect();
    (edges, nodes, page_info)
}
