ALTER TABLE partners DROP COLUMN logo;
ALTER TABLE partners DROP COLUMN privacy_url;
ALTER TABLE partners DROP COLUMN email;
ALTER TABLE partners DROP COLUMN phone;
ALTER TABLE partners DROP COLUMN shown_name;
