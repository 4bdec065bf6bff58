ALTER TABLE cards DROP COLUMN activated_at;
ALTER TABLE cards DROP COLUMN ordered_at;
