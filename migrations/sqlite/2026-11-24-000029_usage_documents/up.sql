-- The documents that a partner sent to a version, in their normal form, which holds no values: only if the operator stores
-- them. No foreign key: documents are written even if the partner was deleted meanwhile, and housekeeping deletes them then.
CREATE TABLE usage_documents (
    partner_id BLOB    NOT NULL,
    key_mode   TEXT    NOT NULL CHECK (key_mode IN ('live', 'test')),
    version    TEXT    NOT NULL,
    digest     BLOB    NOT NULL CHECK (length(digest) = 32), -- the SHA-256 of the document
    document   TEXT    NOT NULL,
    count      INTEGER NOT NULL CHECK (count > 0), -- operations of it that began to run
    first_day  TEXT    NOT NULL, -- in UTC
    last_day   TEXT    NOT NULL,
    PRIMARY KEY (partner_id, key_mode, version, digest)
) STRICT;
