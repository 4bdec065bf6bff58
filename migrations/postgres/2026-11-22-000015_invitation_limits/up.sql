-- How many invitations went to an address for a card. The row stays when the person is taken off the list, and goes with the
-- card; the address stands in it as a digest only.
CREATE TABLE invitation_counts (
    digest  bytea       PRIMARY KEY CHECK (length(digest) = 32), -- of the card and the address
    card_id uuid        NOT NULL REFERENCES cards (id),
    sent    integer     NOT NULL CHECK (sent > 0),
    last_at timestamptz NOT NULL
);
CREATE INDEX invitation_counts_of_card ON invitation_counts (card_id);
CREATE INDEX invitation_counts_by_last ON invitation_counts (last_at);

-- How many invitations a card and a partner sent on a day (Europe/Amsterdam). No foreign key: owner_id is one of either.
CREATE TABLE invitation_days (
    owner_id uuid    NOT NULL,
    test     boolean NOT NULL,
    day      date    NOT NULL,
    sent     integer NOT NULL CHECK (sent >= 0),
    PRIMARY KEY (owner_id, test, day)
);
CREATE INDEX invitation_days_by_day ON invitation_days (day);
