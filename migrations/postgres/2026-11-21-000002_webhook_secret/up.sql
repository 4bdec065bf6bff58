-- The secrets with which a partner's notifications are signed. Kept as they are: a digest signs nothing.
-- One is active until expires_at (it was rotated, and another one takes over) or revoked_at.
CREATE TABLE webhook_secrets (
    id         uuid        PRIMARY KEY,
    partner_id uuid        NOT NULL REFERENCES partners (id),
    secret     bytea       NOT NULL CHECK (length(secret) BETWEEN 24 AND 64),
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz
);
CREATE INDEX webhook_secrets_of_partner ON webhook_secrets (partner_id, created_at, id);
