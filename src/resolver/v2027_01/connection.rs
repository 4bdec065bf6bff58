//! The connection of deliveries (specification, section 2.9).

use std::borrow::Cow;

use crate::generated::v2027_01::{WebhookDeliveryConnection, WebhookDeliveryEdge};
use crate::model::{Page, WebhookDelivery};
use crate::resolver::cursor::{CursorKey as _, DeliveryKey};
use crate::resolver::v2026_10::connection::page_info;

impl From<Page<WebhookDelivery>> for WebhookDeliveryConnection {
    fn from(page: Page<WebhookDelivery>) -> Self {
        let cursor = |delivery: &WebhookDelivery| Cow::from(DeliveryKey(delivery.delivery.id).to_cursor());
        let edge =
            |delivery: &WebhookDelivery| WebhookDeliveryEdge { cursor: cursor(delivery), node: delivery.clone() };
        Self { edges: page.items.iter().map(edge).collect(), page_info: page_info(&page, cursor), nodes: page.items }
    }
}
