-- Test and live apart: a subscription that a test key made gets notifications of test cards only. Subscriptions that are
-- there count as made with a live key.
ALTER TABLE webhook_subscriptions ADD COLUMN test INTEGER NOT NULL DEFAULT 0 CHECK (test IN (0, 1));

-- The key that made a session link, and the browser session that the link opened; both end when the key is revoked. Null
-- where no key made it: in older rows, and where an order mail's link to the invitee list opened the session. No
-- reference: keys are never deleted.
ALTER TABLE sessions ADD COLUMN key_id BLOB;
ALTER TABLE visits ADD COLUMN key_id BLOB;
CREATE INDEX sessions_of_key ON sessions (key_id, expires_at);
CREATE INDEX visits_of_key ON visits (key_id, created_at);
CREATE INDEX visits_of_card ON visits (card_id, created_at);
