-- What the operator does: who, when, what, and the names of the fields that it changed; and what it needs for that. The
-- SQLite twin has the same tables and names.

CREATE TABLE audit (
    id      uuid        PRIMARY KEY,
    at      timestamptz NOT NULL,
    actor   text        NOT NULL, -- the user of the operating system
    command text        NOT NULL,
    subject text        NOT NULL, -- as it was named on the command line: a partner, a key, a card
    fields  text        NOT NULL  -- a JSON array of names; never a value
);
CREATE INDEX audit_by_moment ON audit (at, id);

-- A theme that is retired cannot be chosen any more; the cards that have it keep it.
ALTER TABLE themes ADD COLUMN retired_at timestamptz;

-- An order outlives its card, which may be deleted: it is what the partner is invoiced for. Its card stays as an id.
ALTER TABLE orders DROP CONSTRAINT orders_card_id_fkey;
CREATE INDEX orders_of_customer ON orders (customer_id);
