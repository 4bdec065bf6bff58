-- How many invitations went to an address for a card. The row stays when the person is taken off the list, and goes with the
-- card; the address stands in it as a digest only.
CREATE TABLE invitation_counts (
    digest  BLOB    NOT NULL PRIMARY KEY CHECK (length(digest) = 32), -- of the card and the address
    card_id BLOB    NOT NULL REFERENCES cards (id),
    sent    INTEGER NOT NULL CHECK (sent > 0),
    last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invitation_counts_of_card ON invitation_counts (card_id);
CREATE INDEX invitation_counts_by_last ON invitation_counts (last_at);

-- How many invitations a card and a partner sent on a day (Europe/Amsterdam). No foreign key: owner_id is one of either.
CREATE TABLE invitation_days (
    owner_id BLOB    NOT NULL,
    test     INTEGER NOT NULL CHECK (test IN (0, 1)),
    day      TEXT    NOT NULL, -- YYYY-MM-DD
    sent     INTEGER NOT NULL CHECK (sent >= 0),
    PRIMARY KEY (owner_id, test, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX invitation_days_by_day ON invitation_days (day);
