//! Connections (specification, section 2.9).

use std::borrow::Cow;
use std::sync::Arc;

use crate::generated::v2026_10::{
    PageInfo, ThemeConnection, ThemeEdge, WebhookSubscriptionConnection, WebhookSubscriptionEdge,
};
use crate::model::{Page, Theme, WebhookSubscription};
use crate::resolver::cursor::CursorKey;

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
