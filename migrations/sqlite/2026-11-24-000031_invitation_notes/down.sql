DROP TABLE invitation_notes;
