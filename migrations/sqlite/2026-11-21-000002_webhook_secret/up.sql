-- The secrets with which a partner's notifications are signed. Kept as they are: a digest signs nothing.
-- One is active until expires_at (it was rotated, and another one takes over) or revoked_at.
CREATE TABLE webhook_secrets (
    id         BLOB    NOT NULL PRIMARY KEY,
    partner_id BLOB    NOT NULL REFERENCES partners (id),
    secret     BLOB    NOT NULL CHECK (length(secret) BETWEEN 24 AND 64),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT;
CREATE INDEX webhook_secrets_of_partner ON webhook_secrets (partner_id, created_at, id);
