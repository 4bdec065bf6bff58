ALTER TABLE cards DROP COLUMN offline_since;
