ALTER TABLE cards DROP COLUMN farewell_note;
ALTER TABLE cards DROP COLUMN farewell_address;
ALTER TABLE cards DROP COLUMN farewell_place;
ALTER TABLE cards DROP COLUMN farewell_time;
ALTER TABLE cards DROP COLUMN farewell_date;
