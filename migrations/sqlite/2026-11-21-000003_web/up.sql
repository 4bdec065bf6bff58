-- The service's own pages: what the family fills in, who may come in, what was ordered, and what has to go online.

ALTER TABLE partners ADD COLUMN refresh_address TEXT; -- where a family asks for a new session link
ALTER TABLE partners ADD COLUMN price_cents INTEGER NOT NULL DEFAULT 4950 CHECK (price_cents >= 0); -- incl. VAT

ALTER TABLE cards ADD COLUMN layout TEXT NOT NULL DEFAULT 'PORTRAIT' CHECK (layout IN ('PORTRAIT', 'BESIDE', 'TEXT'));
ALTER TABLE cards ADD COLUMN visibility TEXT NOT NULL DEFAULT 'OPEN' CHECK (visibility IN ('OPEN', 'INVITATION'));
ALTER TABLE cards ADD COLUMN memorial_text TEXT;

-- A browser that opened a session link, by the SHA-256 of its cookie.
CREATE TABLE visits (
    digest     BLOB    NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    card_id    BLOB    NOT NULL REFERENCES cards (id),
    target     TEXT    NOT NULL CHECK (target IN ('CUSTOMIZER', 'INVITEE_LIST')),
    created_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX visits_by_age ON visits (created_at);

-- Who ordered: one for each address of a partner, test and live apart.
CREATE TABLE customers (
    id         BLOB    NOT NULL PRIMARY KEY,
    partner_id BLOB    NOT NULL REFERENCES partners (id),
    email      TEXT    NOT NULL,
    name       TEXT,
    test       INTEGER NOT NULL CHECK (test IN (0, 1)),
    created_at INTEGER NOT NULL,
    UNIQUE (partner_id, email, test)
) STRICT;

CREATE TABLE orders (
    id          BLOB    NOT NULL PRIMARY KEY,
    card_id     BLOB    NOT NULL UNIQUE REFERENCES cards (id),
    partner_id  BLOB    NOT NULL REFERENCES partners (id),
    customer_id BLOB    REFERENCES customers (id),
    number      TEXT    NOT NULL UNIQUE,
    price_cents INTEGER NOT NULL CHECK (price_cents >= 0), -- as it was agreed to
    actor       TEXT    NOT NULL CHECK (actor IN ('FAMILY', 'OPERATOR')),
    test        INTEGER NOT NULL CHECK (test IN (0, 1)),
    ordered_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX orders_of_partner ON orders (partner_id, ordered_at);

-- Ordered cards that have yet to go online.
CREATE TABLE activations (
    card_id  BLOB    NOT NULL PRIMARY KEY REFERENCES cards (id),
    due_at   INTEGER NOT NULL,
    attempts INTEGER NOT NULL CHECK (attempts >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX activations_due ON activations (due_at);
