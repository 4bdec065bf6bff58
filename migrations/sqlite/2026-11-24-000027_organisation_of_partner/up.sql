-- Whom families can call: the funeral organisation as they know it. Set by the operator; all may be missing.
ALTER TABLE partners ADD COLUMN shown_name TEXT;
ALTER TABLE partners ADD COLUMN phone TEXT;
ALTER TABLE partners ADD COLUMN email TEXT;
ALTER TABLE partners ADD COLUMN privacy_url TEXT;
-- The key of the logo below `partner/` in the object store.
ALTER TABLE partners ADD COLUMN logo TEXT;
