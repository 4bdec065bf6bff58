-- What notifications say: one body for each event and version, apart from their deliveries. Read, and not written yet:
-- replicas of the last release look for it in `deliveries.body` while they are replaced. The SQLite twin writes it.
CREATE TABLE notifications (
    event_id    uuid NOT NULL,
    api_version text NOT NULL,
    body        text NOT NULL, -- the bytes that are signed: text, not jsonb
    PRIMARY KEY (event_id, api_version)
);
