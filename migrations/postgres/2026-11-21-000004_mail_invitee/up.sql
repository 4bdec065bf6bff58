-- Invitees with their personal links, the mail queue, the lasting links in mails, and the renditions of portraits.

CREATE TABLE invitees (
    id           uuid        PRIMARY KEY,
    card_id      uuid        NOT NULL REFERENCES cards (id),
    name         text        NOT NULL,
    email        text,
    email_folded text, -- in lower case: an address is on a list once
    token        text        NOT NULL UNIQUE, -- of the personal link, which the list shows again
    created_at   timestamptz NOT NULL,
    mail_count   integer     NOT NULL CHECK (mail_count >= 0),
    last_mail_at timestamptz,
    seen_at      timestamptz, -- the first time that the card was opened by the personal link
    UNIQUE (card_id, email_folded),
    CHECK ((email IS NULL) = (email_folded IS NULL))
);
CREATE INDEX invitees_of_card ON invitees (card_id, created_at, id);

-- One row for each mail, written in the transaction of its cause. due_at is also the end of a worker's lease; it is
-- null once the mail is sent or given up.
CREATE TABLE mails (
    id         uuid        PRIMARY KEY,
    card_id    uuid        NOT NULL REFERENCES cards (id),
    kind       text        NOT NULL CHECK (kind IN ('ORDER', 'CARD_ONLINE', 'INVITATION')),
    invitee_id uuid        REFERENCES invitees (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    due_at     timestamptz,
    attempts   integer     NOT NULL CHECK (attempts >= 0),
    sent_at    timestamptz,
    failed_at  timestamptz,
    CHECK ((kind = 'INVITATION') = (invitee_id IS NOT NULL)),
    CHECK (num_nonnulls(due_at, sent_at, failed_at) = 1)
);
CREATE INDEX mails_due ON mails (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX mails_done ON mails (created_at) WHERE due_at IS NULL;
CREATE INDEX mails_of_card ON mails (card_id, created_at, id);
CREATE INDEX mails_of_invitee ON mails (invitee_id) WHERE invitee_id IS NOT NULL;

-- The link to the invitee list in an order mail: it opens more than once, until it expires.
CREATE TABLE invitee_list_links (
    digest     bytea       PRIMARY KEY CHECK (length(digest) = 32),
    card_id    uuid        NOT NULL REFERENCES cards (id),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX invitee_list_links_by_end ON invitee_list_links (expires_at);

-- render_at is null once the renditions are made or given up; width and height are those of the screen rendition.
ALTER TABLE photos ADD COLUMN render_at timestamptz;
ALTER TABLE photos ADD COLUMN render_attempts integer NOT NULL DEFAULT 0;
ALTER TABLE photos ADD COLUMN rendition_width integer;
ALTER TABLE photos ADD COLUMN rendition_height integer;
UPDATE photos SET render_at = created_at;
CREATE INDEX photos_to_render ON photos (render_at) WHERE render_at IS NOT NULL;
