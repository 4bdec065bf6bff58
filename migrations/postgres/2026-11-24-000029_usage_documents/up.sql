-- The documents that a partner sent to a version, in their normal form, which holds no values: only if the operator stores
-- them. No foreign key: documents are written even if the partner was deleted meanwhile, and housekeeping deletes them then.
CREATE TABLE usage_documents (
    partner_id uuid   NOT NULL,
    key_mode   text   NOT NULL CHECK (key_mode IN ('live', 'test')),
    version    text   NOT NULL,
    digest     bytea  NOT NULL CHECK (length(digest) = 32), -- the SHA-256 of the document
    document   text   NOT NULL,
    count      bigint NOT NULL CHECK (count > 0), -- operations of it that began to run
    first_day  date   NOT NULL, -- in UTC
    last_day   date   NOT NULL,
    PRIMARY KEY (partner_id, key_mode, version, digest)
);
