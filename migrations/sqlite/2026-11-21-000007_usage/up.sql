-- How many operations of a partner used a coordinate of a version on a day (UTC). Replicas add to each other's counts.
-- No foreign key: a count that was gathered is written even if its partner went meanwhile.
CREATE TABLE usage (
    day        TEXT    NOT NULL, -- YYYY-MM-DD
    version    TEXT    NOT NULL,
    partner_id BLOB    NOT NULL,
    key_mode   TEXT    NOT NULL CHECK (key_mode IN ('live', 'test')),
    coordinate TEXT    NOT NULL, -- such as Card.status
    count      INTEGER NOT NULL CHECK (count > 0),
    PRIMARY KEY (day, version, partner_id, key_mode, coordinate)
) STRICT, WITHOUT ROWID;

-- What the operator decided about a version since it was released; every replica follows within seconds.
CREATE TABLE version_notices (
    version    TEXT    NOT NULL PRIMARY KEY,
    deprecated TEXT    NOT NULL, -- YYYY-MM-DD
    sunset     TEXT    NOT NULL, -- YYYY-MM-DD
    link       TEXT, -- where partners read more
    retired_at INTEGER
) STRICT;
