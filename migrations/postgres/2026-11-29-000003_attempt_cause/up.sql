-- cause is why there was no answer (src/model/delivery.rs).
ALTER TABLE attempts ADD COLUMN cause text;
