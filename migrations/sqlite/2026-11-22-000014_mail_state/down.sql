DROP INDEX mails_failed;
DROP INDEX mails_failing;
ALTER TABLE mails DROP COLUMN answer;
ALTER TABLE mails DROP COLUMN refused;
