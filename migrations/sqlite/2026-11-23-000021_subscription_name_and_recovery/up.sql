-- The partner's own name for a subscription.
ALTER TABLE webhook_subscriptions ADD COLUMN name TEXT;
-- Set while failed deliveries are sent again: the id of the last one that was.
ALTER TABLE webhook_subscriptions ADD COLUMN recover_after BLOB;
CREATE INDEX webhook_subscriptions_recovering ON webhook_subscriptions (id) WHERE recover_after IS NOT NULL;
