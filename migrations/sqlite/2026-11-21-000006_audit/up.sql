-- What the operator does: who, when, what, and the names of the fields that it changed; and what it needs for that. The
-- PostgreSQL twin has the same tables and names.

CREATE TABLE audit (
    id      BLOB    NOT NULL PRIMARY KEY,
    at      INTEGER NOT NULL,
    actor   TEXT    NOT NULL, -- the user of the operating system
    command TEXT    NOT NULL,
    subject TEXT    NOT NULL, -- as it was named on the command line: a partner, a key, a card
    fields  TEXT    NOT NULL  -- a JSON array of names; never a value
) STRICT;
CREATE INDEX audit_by_moment ON audit (at, id);

-- A theme that is retired cannot be chosen any more; the cards that have it keep it.
ALTER TABLE themes ADD COLUMN retired_at INTEGER;

-- An order outlives its card, which may be deleted: it is what the partner is invoiced for. Its card stays as an id.
CREATE TABLE orders_that_stay (
    id          BLOB    NOT NULL PRIMARY KEY,
    card_id     BLOB    NOT NULL UNIQUE,
    partner_id  BLOB    NOT NULL REFERENCES partners (id),
    customer_id BLOB    REFERENCES customers (id),
    number      TEXT    NOT NULL UNIQUE,
    price_cents INTEGER NOT NULL CHECK (price_cents >= 0), -- as it was agreed to
    actor       TEXT    NOT NULL CHECK (actor IN ('FAMILY', 'OPERATOR')),
    test        INTEGER NOT NULL CHECK (test IN (0, 1)),
    ordered_at  INTEGER NOT NULL
) STRICT;
INSERT INTO orders_that_stay SELECT id, card_id, partner_id, customer_id, number, price_cents, actor, test, ordered_at
    FROM orders;
DROP TABLE orders;
ALTER TABLE orders_that_stay RENAME TO orders;
CREATE INDEX orders_of_partner ON orders (partner_id, ordered_at);
CREATE INDEX orders_of_customer ON orders (customer_id);
