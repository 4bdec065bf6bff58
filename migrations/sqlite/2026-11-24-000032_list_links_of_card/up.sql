-- Finds until when the links to the list of a card work.
CREATE INDEX invitee_list_links_of_card ON invitee_list_links (card_id, expires_at);
