-- blocked_since is when the mail server began to refuse the service or to be unreachable, until an attempt asks for the recipient.
ALTER TABLE mails ADD COLUMN blocked_since INTEGER;
CREATE INDEX mails_blocked ON mails (blocked_since) WHERE due_at IS NOT NULL AND blocked_since IS NOT NULL;
