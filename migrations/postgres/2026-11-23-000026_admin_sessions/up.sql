-- A one-time link of an operator to the administration, and the session that it opened. Both by their digests.
CREATE TABLE admin_sessions (
    id         uuid        NOT NULL PRIMARY KEY,
    link       bytea       NOT NULL UNIQUE CHECK (length(link) = 32),
    operator   text        NOT NULL, -- the actor of its audit records
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL, -- of the link
    opened_at  timestamptz,
    cookie     bytea       UNIQUE CHECK (length(cookie) = 32),
    seen_at    timestamptz,
    ended_at   timestamptz
);
CREATE INDEX admin_sessions_by_end ON admin_sessions (expires_at, id);
