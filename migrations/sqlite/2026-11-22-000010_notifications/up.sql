-- What notifications say: one body for each event and version, however many subscriptions it goes to, and apart from
-- their deliveries, which are written three times on their way while it stays as it is. `deliveries.body` is empty from
-- now on; what stands there already is sent from there.
CREATE TABLE notifications (
    event_id    BLOB NOT NULL,
    api_version TEXT NOT NULL,
    body        TEXT NOT NULL, -- the bytes that are signed
    PRIMARY KEY (event_id, api_version)
) STRICT;
