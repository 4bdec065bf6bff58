-- The row that the health check writes.
CREATE TABLE heartbeats (
    id         INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    written_at INTEGER NOT NULL,
    filler     BLOB    NOT NULL
) STRICT;
