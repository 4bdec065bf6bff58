-- When a card was ordered, and when it went online. So far the order and the event knew; cards that are in that state
-- already get the moment from there.

ALTER TABLE cards ADD COLUMN ordered_at timestamptz;
ALTER TABLE cards ADD COLUMN activated_at timestamptz;

UPDATE cards SET ordered_at = (SELECT orders.ordered_at FROM orders WHERE orders.card_id = cards.id)
    WHERE status IN ('ORDERED', 'ACTIVE');
UPDATE cards SET activated_at = (
    SELECT max(events.occurred_at) FROM events WHERE events.card_id = cards.id AND events.topic = 'CARDS_ACTIVATED'
) WHERE status = 'ACTIVE';
