-- Notifications on their way, the attempts to hand them over, and how each subscription fares. The SQLite twin has the
-- same tables and names.

-- No references: a subscription goes at once when it is cancelled, and its deliveries a few at a time.
CREATE TABLE deliveries (
    id              uuid        PRIMARY KEY, -- follows from event and subscription; sorts by the event's moment
    event_id        uuid        NOT NULL,
    subscription_id uuid        NOT NULL,
    partner_id      uuid        NOT NULL,
    card_id         uuid        NOT NULL,
    topic           text        NOT NULL
        CHECK (topic IN ('CARDS_CREATE', 'CARDS_UPDATE', 'CARDS_ORDERED', 'CARDS_ACTIVATED')),
    sequence        bigint      NOT NULL CHECK (sequence > 0),
    test            boolean     NOT NULL,
    api_version     text        NOT NULL,
    body            text        NOT NULL, -- the bytes that are signed: text, not jsonb
    state           text        NOT NULL CHECK (state IN ('WAITING', 'DUE', 'DELIVERED', 'FAILED')),
    attempt_count   bigint      NOT NULL CHECK (attempt_count >= 0),
    schedule_step   bigint      NOT NULL CHECK (schedule_step >= 0),
    due_at          timestamptz, -- of the next attempt; while one runs: when its lease ends
    lease           uuid,        -- whose attempt runs
    created_at      timestamptz NOT NULL,
    finished_at     timestamptz,
    CHECK ((state = 'DUE') = (due_at IS NOT NULL)),
    CHECK ((state IN ('DELIVERED', 'FAILED')) = (finished_at IS NOT NULL))
);
-- What is due, for each subscription: a million that wait for one are passed over in one step.
CREATE INDEX deliveries_due ON deliveries (subscription_id, due_at, id) WHERE due_at IS NOT NULL;
-- What is not finished of a card: the order in which it goes out.
CREATE INDEX deliveries_in_turn ON deliveries (subscription_id, card_id, sequence) WHERE finished_at IS NULL;
CREATE INDEX deliveries_by_state ON deliveries (subscription_id, state, id);

CREATE TABLE attempts (
    delivery_id uuid        NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    number      bigint      NOT NULL CHECK (number > 0),
    started_at  timestamptz NOT NULL,
    duration_ms bigint      NOT NULL CHECK (duration_ms >= 0),
    status      integer,
    failure     text        CHECK (failure IN ('NO_CONNECTION', 'TIME_OUT', 'REFUSED')),
    PRIMARY KEY (delivery_id, number),
    CHECK ((status IS NULL) <> (failure IS NULL))
);

ALTER TABLE webhook_subscriptions
    ADD COLUMN paused_at     timestamptz,
    ADD COLUMN pause_reason  text   CHECK (pause_reason IN ('FAILURES', 'GONE')),
    ADD COLUMN failing_since timestamptz,
    ADD COLUMN failure_count bigint NOT NULL DEFAULT 0 CHECK (failure_count >= 0);
