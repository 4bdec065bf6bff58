-- What became of a mail: queued (due_at), sent (sent_at), refused for good by the mail server (failed_at and refused), or given up
-- (failed_at alone). answer: what the mail server said at the last attempt that failed, or why there was none.
ALTER TABLE mails ADD COLUMN refused boolean NOT NULL DEFAULT false;
ALTER TABLE mails ADD COLUMN answer text;
CREATE INDEX mails_failing ON mails (created_at) WHERE due_at IS NOT NULL AND answer IS NOT NULL;
CREATE INDEX mails_failed ON mails (failed_at) WHERE failed_at IS NOT NULL;
