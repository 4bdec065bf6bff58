-- The subscriptions of a partner with one address, which share the order of deliveries.
CREATE INDEX webhook_subscriptions_of_address ON webhook_subscriptions (partner_id, callback_url_digest);
