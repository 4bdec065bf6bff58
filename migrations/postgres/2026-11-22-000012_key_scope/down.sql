DROP INDEX visits_of_card;
DROP INDEX visits_of_key;
DROP INDEX sessions_of_key;
ALTER TABLE visits DROP COLUMN key_id;
ALTER TABLE sessions DROP COLUMN key_id;
ALTER TABLE webhook_subscriptions DROP COLUMN test;
