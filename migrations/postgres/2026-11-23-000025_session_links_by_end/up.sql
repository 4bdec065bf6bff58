-- Session links that ended long ago are deleted.
CREATE INDEX sessions_by_end ON sessions (expires_at);
