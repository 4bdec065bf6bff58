-- How many operations of a partner used a coordinate of a version on a day (UTC). Replicas add to each other's counts.
-- No foreign key: a count that was gathered is written even if its partner went meanwhile.
CREATE TABLE usage (
    day        date   NOT NULL,
    version    text   NOT NULL,
    partner_id uuid   NOT NULL,
    key_mode   text   NOT NULL CHECK (key_mode IN ('live', 'test')),
    coordinate text   NOT NULL, -- such as Card.status
    count      bigint NOT NULL CHECK (count > 0),
    PRIMARY KEY (day, version, partner_id, key_mode, coordinate)
);

-- What the operator decided about a version since it was released; every replica follows within seconds.
CREATE TABLE version_notices (
    version    text PRIMARY KEY,
    deprecated date NOT NULL,
    sunset     date NOT NULL,
    link       text, -- where partners read more
    retired_at timestamptz
);
