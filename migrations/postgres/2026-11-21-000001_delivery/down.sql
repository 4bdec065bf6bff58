ALTER TABLE webhook_subscriptions
    DROP COLUMN failure_count,
    DROP COLUMN failing_since,
    DROP COLUMN pause_reason,
    DROP COLUMN paused_at;
DROP TABLE attempts;
DROP TABLE deliveries;
