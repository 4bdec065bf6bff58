-- When a secret ends for the subscriptions of live keys, and for those of test keys, after their partner rotated it.
ALTER TABLE webhook_secrets ADD COLUMN live_ends_at timestamptz;
ALTER TABLE webhook_secrets ADD COLUMN test_ends_at timestamptz;
