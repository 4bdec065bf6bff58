//! Connections (specification, section 2.9).

use std::borrow::Cow;

use crate::generated::v2026_10::{
    PageInfo, ThemeConnection, ThemeEdge, WebhookSubscriptionConnection, WebhookSubscriptionEdge,
};
use crate::model::{Page, Theme, WebhookSubscription};
use crate::resolver::cursor::CursorKey;

impl From<Page<Theme>> for ThemeConnection {
    fn from(page: Page<Theme>) -> Self {
        let cursor = |theme: &Theme| Cow::from((theme.position, theme.number).to_cursor());
        let edge = |theme: &Theme| ThemeEdge { cursor: cursor(theme), node: theme.clone() };
        Self { edges: page.items.iter().map(edge).collect(), page_info: page_info(&page, cursor), nodes: page.items }
    }
}

impl From<Page<WebhookSubscription>> for WebhookSubscriptionConnection {
    fn from(page: Page<WebhookSubscription>) -> Self {
        let cursor = |subscription: &WebhookSubscription| Cow::from(subscription.id.to_cursor());
        let edge = |subscription: &WebhookSubscription| WebhookSubscriptionEdge {
            cursor: cursor(subscription),
            node: subscription.clone(),
        };
        Self { edges: page.items.iter().map(edge).collect(), page_info: page_info(&page, cursor), nodes: page.items }
    }
}

pub(in crate::resolver) fn page_info<T>(page: &Page<T>, cursor: impl Fn(&T) -> Cow<'static, str>) -> PageInfo {
    PageInfo {
        has_next_page: page.has_next,
        has_previous_page: page.has_previous,
        start_cursor: page.items.first().map(&cursor),
        end_cursor: page.items.last().map(&cursor),
    }
}
