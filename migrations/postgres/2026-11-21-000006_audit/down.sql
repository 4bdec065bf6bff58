DROP INDEX orders_of_customer;
DELETE FROM orders WHERE card_id NOT IN (SELECT id FROM cards);
ALTER TABLE orders ADD CONSTRAINT orders_card_id_fkey FOREIGN KEY (card_id) REFERENCES cards (id);
ALTER TABLE themes DROP COLUMN retired_at;
DROP TABLE audit;
