DROP INDEX webhook_subscriptions_recovering;
ALTER TABLE webhook_subscriptions DROP COLUMN recover_after;
ALTER TABLE webhook_subscriptions DROP COLUMN name;
