-- The note of the family in the invitations of a card. It is deleted with the card, also by a server that does not know this table.
CREATE TABLE invitation_notes (
    card_id    BLOB    NOT NULL PRIMARY KEY REFERENCES cards (id) ON DELETE CASCADE,
    note       TEXT    NOT NULL CHECK (note <> ''),
    changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX invitation_notes_by_change ON invitation_notes (changed_at);
