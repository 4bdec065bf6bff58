-- Notifications on their way, the attempts to hand them over, and how each subscription fares. The PostgreSQL twin has
-- the same tables and names.

-- No references: a subscription goes at once when it is cancelled, and its deliveries a few at a time.
CREATE TABLE deliveries (
    id              BLOB    NOT NULL PRIMARY KEY, -- follows from event and subscription; sorts by the event's moment
    event_id        BLOB    NOT NULL,
    subscription_id BLOB    NOT NULL,
    partner_id      BLOB    NOT NULL,
    card_id         BLOB    NOT NULL,
    topic           TEXT    NOT NULL
        CHECK (topic IN ('CARDS_CREATE', 'CARDS_UPDATE', 'CARDS_ORDERED', 'CARDS_ACTIVATED')),
    sequence        INTEGER NOT NULL CHECK (sequence > 0),
    test            INTEGER NOT NULL CHECK (test IN (0, 1)),
    api_version     TEXT    NOT NULL,
    body            TEXT    NOT NULL, -- the bytes that are signed
    state           TEXT    NOT NULL CHECK (state IN ('WAITING', 'DUE', 'DELIVERED', 'FAILED')),
    attempt_count   INTEGER NOT NULL CHECK (attempt_count >= 0),
    schedule_step   INTEGER NOT NULL CHECK (schedule_step >= 0),
    due_at          INTEGER, -- of the next attempt; while one runs: when its lease ends
    lease           BLOB,    -- whose attempt runs
    created_at      INTEGER NOT NULL,
    finished_at     INTEGER,
    CHECK ((state = 'DUE') = (due_at IS NOT NULL)),
    CHECK ((state IN ('DELIVERED', 'FAILED')) = (finished_at IS NOT NULL))
) STRICT;
-- What is due, for each subscription: a million that wait for one are passed over in one step.
CREATE INDEX deliveries_due ON deliveries (subscription_id, due_at, id) WHERE due_at IS NOT NULL;
-- What is not finished of a card: the order in which it goes out.
CREATE INDEX deliveries_in_turn ON deliveries (subscription_id, card_id, sequence) WHERE finished_at IS NULL;
CREATE INDEX deliveries_by_state ON deliveries (subscription_id, state, id);

CREATE TABLE attempts (
    delivery_id BLOB    NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    number      INTEGER NOT NULL CHECK (number > 0),
    started_at  INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL CHECK (duration_ms >= 0),
    status      INTEGER,
    failure     TEXT    CHECK (failure IN ('NO_CONNECTION', 'TIME_OUT', 'REFUSED')),
    PRIMARY KEY (delivery_id, number),
    CHECK ((status IS NULL) <> (failure IS NULL))
) STRICT, WITHOUT ROWID;

ALTER TABLE webhook_subscriptions ADD COLUMN paused_at INTEGER;
ALTER TABLE webhook_subscriptions ADD COLUMN pause_reason TEXT CHECK (pause_reason IN ('FAILURES', 'GONE'));
ALTER TABLE webhook_subscriptions ADD COLUMN failing_since INTEGER;
ALTER TABLE webhook_subscriptions ADD COLUMN failure_count INTEGER NOT NULL DEFAULT 0 CHECK (failure_count >= 0);
