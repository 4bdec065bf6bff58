-- The service's own pages: what the family fills in, who may come in, what was ordered, and what has to go online.

ALTER TABLE partners ADD COLUMN refresh_address text; -- where a family asks for a new session link
ALTER TABLE partners ADD COLUMN price_cents bigint NOT NULL DEFAULT 4950 CHECK (price_cents >= 0); -- incl. VAT

ALTER TABLE cards ADD COLUMN layout text NOT NULL DEFAULT 'PORTRAIT' CHECK (layout IN ('PORTRAIT', 'BESIDE', 'TEXT'));
ALTER TABLE cards ADD COLUMN visibility text NOT NULL DEFAULT 'OPEN' CHECK (visibility IN ('OPEN', 'INVITATION'));
ALTER TABLE cards ADD COLUMN memorial_text text;

-- A browser that opened a session link, by the SHA-256 of its cookie.
CREATE TABLE visits (
    digest     bytea       PRIMARY KEY CHECK (length(digest) = 32),
    card_id    uuid        NOT NULL REFERENCES cards (id),
    target     text        NOT NULL CHECK (target IN ('CUSTOMIZER', 'INVITEE_LIST')),
    created_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL
);
CREATE INDEX visits_by_age ON visits (created_at);

-- Who ordered: one for each address of a partner, test and live apart.
CREATE TABLE customers (
    id         uuid        PRIMARY KEY,
    partner_id uuid        NOT NULL REFERENCES partners (id),
    email      text        NOT NULL,
    name       text,
    test       boolean     NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (partner_id, email, test)
);

CREATE TABLE orders (
    id          uuid        PRIMARY KEY,
    card_id     uuid        NOT NULL UNIQUE REFERENCES cards (id),
    partner_id  uuid        NOT NULL REFERENCES partners (id),
    customer_id uuid        REFERENCES customers (id),
    number      text        NOT NULL UNIQUE,
    price_cents bigint      NOT NULL CHECK (price_cents >= 0), -- as it was agreed to
    actor       text        NOT NULL CHECK (actor IN ('FAMILY', 'OPERATOR')),
    test        boolean     NOT NULL,
    ordered_at  timestamptz NOT NULL
);
CREATE INDEX orders_of_partner ON orders (partner_id, ordered_at);

-- Ordered cards that have yet to go online.
CREATE TABLE activations (
    card_id  uuid        PRIMARY KEY REFERENCES cards (id),
    due_at   timestamptz NOT NULL,
    attempts bigint      NOT NULL CHECK (attempts >= 0)
);
CREATE INDEX activations_due ON activations (due_at);
