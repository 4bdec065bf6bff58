DROP INDEX photos_to_render;
ALTER TABLE photos DROP COLUMN rendition_height;
ALTER TABLE photos DROP COLUMN rendition_width;
ALTER TABLE photos DROP COLUMN render_attempts;
ALTER TABLE photos DROP COLUMN render_at;
DROP TABLE invitee_list_links;
DROP TABLE mails;
DROP TABLE invitees;
