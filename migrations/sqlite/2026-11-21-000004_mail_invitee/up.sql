-- Invitees with their personal links, the mail queue, the lasting links in mails, and the renditions of portraits.

CREATE TABLE invitees (
    id           BLOB    NOT NULL PRIMARY KEY,
    card_id      BLOB    NOT NULL REFERENCES cards (id),
    name         TEXT    NOT NULL,
    email        TEXT,
    email_folded TEXT, -- in lower case: an address is on a list once
    token        TEXT    NOT NULL UNIQUE, -- of the personal link, which the list shows again
    created_at   INTEGER NOT NULL,
    mail_count   INTEGER NOT NULL CHECK (mail_count >= 0),
    last_mail_at INTEGER,
    seen_at      INTEGER, -- the first time that the card was opened by the personal link
    UNIQUE (card_id, email_folded),
    CHECK ((email IS NULL) = (email_folded IS NULL))
) STRICT;
CREATE INDEX invitees_of_card ON invitees (card_id, created_at, id);

-- One row for each mail, written in the transaction of its cause. due_at is also the end of a worker's lease; it is
-- null once the mail is sent or given up.
CREATE TABLE mails (
    id         BLOB    NOT NULL PRIMARY KEY,
    card_id    BLOB    NOT NULL REFERENCES cards (id),
    kind       TEXT    NOT NULL CHECK (kind IN ('ORDER', 'CARD_ONLINE', 'INVITATION')),
    invitee_id BLOB    REFERENCES invitees (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    due_at     INTEGER,
    attempts   INTEGER NOT NULL CHECK (attempts >= 0),
    sent_at    INTEGER,
    failed_at  INTEGER,
    CHECK ((kind = 'INVITATION') = (invitee_id IS NOT NULL)),
    CHECK ((due_at IS NOT NULL) + (sent_at IS NOT NULL) + (failed_at IS NOT NULL) = 1)
) STRICT;
CREATE INDEX mails_due ON mails (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX mails_done ON mails (created_at) WHERE due_at IS NULL;
CREATE INDEX mails_of_card ON mails (card_id, created_at, id);
CREATE INDEX mails_of_invitee ON mails (invitee_id) WHERE invitee_id IS NOT NULL;

-- The link to the invitee list in an order mail: it opens more than once, until it expires.
CREATE TABLE invitee_list_links (
    digest     BLOB    NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    card_id    BLOB    NOT NULL REFERENCES cards (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invitee_list_links_by_end ON invitee_list_links (expires_at);

-- render_at is null once the renditions are made or given up; width and height are those of the screen rendition.
ALTER TABLE photos ADD COLUMN render_at INTEGER;
ALTER TABLE photos ADD COLUMN render_attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE photos ADD COLUMN rendition_width INTEGER;
ALTER TABLE photos ADD COLUMN rendition_height INTEGER;
UPDATE photos SET render_at = created_at;
CREATE INDEX photos_to_render ON photos (render_at) WHERE render_at IS NOT NULL;
