-- A one-time link of an operator to the administration, and the session that it opened. Both by their digests.
CREATE TABLE admin_sessions (
    id         BLOB    NOT NULL PRIMARY KEY,
    link       BLOB    NOT NULL UNIQUE CHECK (length(link) = 32),
    operator   TEXT    NOT NULL, -- the actor of its audit records
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL, -- of the link
    opened_at  INTEGER,
    cookie     BLOB    UNIQUE CHECK (length(cookie) = 32),
    seen_at    INTEGER,
    ended_at   INTEGER
) STRICT;
CREATE INDEX admin_sessions_by_end ON admin_sessions (expires_at, id);
