DROP TABLE activations;
DROP TABLE orders;
DROP TABLE customers;
DROP TABLE visits;
ALTER TABLE cards DROP COLUMN memorial_text;
ALTER TABLE cards DROP COLUMN visibility;
ALTER TABLE cards DROP COLUMN layout;
ALTER TABLE partners DROP COLUMN price_cents;
ALTER TABLE partners DROP COLUMN refresh_address;
