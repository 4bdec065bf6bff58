ALTER TABLE webhook_secrets DROP COLUMN test_ends_at;
ALTER TABLE webhook_secrets DROP COLUMN live_ends_at;
