-- What was used of a quota since its window began: bytes of photos of a partner and key mode in a day, photos of a browser
-- session (by the digest of its cookie) in an hour. Rows of windows that are over are deleted.
CREATE TABLE quotas (
    subject    TEXT    NOT NULL PRIMARY KEY,
    started_at INTEGER NOT NULL,
    used       INTEGER NOT NULL CHECK (used >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX quotas_by_start ON quotas (started_at);
