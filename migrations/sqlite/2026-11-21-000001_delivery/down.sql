ALTER TABLE webhook_subscriptions DROP COLUMN failure_count;
ALTER TABLE webhook_subscriptions DROP COLUMN failing_since;
ALTER TABLE webhook_subscriptions DROP COLUMN pause_reason;
ALTER TABLE webhook_subscriptions DROP COLUMN paused_at;
DROP TABLE attempts;
DROP TABLE deliveries;
