PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql,
    'CHECK (status = ''DRAFT'' OR status = ''ORDERED'' OR status = ''ACTIVE'')',
    'CHECK (status IN (''DRAFT'', ''ORDERED'', ''ACTIVE''))')
    WHERE type = 'table' AND name = 'cards';
UPDATE sqlite_schema SET sql = replace(sql,
    'CHECK (layout = ''PORTRAIT'' OR layout = ''BESIDE'' OR layout = ''TEXT'')',
    'CHECK (layout IN (''PORTRAIT'', ''BESIDE'', ''TEXT''))')
    WHERE type = 'table' AND name = 'cards';
UPDATE sqlite_schema SET sql = replace(sql,
    'CHECK (topic = ''CARDS_CREATE'' OR topic = ''CARDS_UPDATE'' OR topic = ''CARDS_ORDERED'' OR topic = ''CARDS_ACTIVATED'')',
    'CHECK (topic IN (''CARDS_CREATE'', ''CARDS_UPDATE'', ''CARDS_ORDERED'', ''CARDS_ACTIVATED''))')
    WHERE type = 'table' AND name = 'events';
UPDATE sqlite_schema SET sql = replace(sql,
    'CHECK (actor = ''PARTNER'' OR actor = ''FAMILY'' OR actor = ''OPERATOR'' OR actor = ''SERVICE'')',
    'CHECK (actor IN (''PARTNER'', ''FAMILY'', ''OPERATOR'', ''SERVICE''))')
    WHERE type = 'table' AND name = 'events';
UPDATE sqlite_schema SET sql = replace(sql,
    'CHECK (topic = ''CARDS_CREATE'' OR topic = ''CARDS_UPDATE'' OR topic = ''CARDS_ORDERED'' OR topic = ''CARDS_ACTIVATED'')',
    'CHECK (topic IN (''CARDS_CREATE'', ''CARDS_UPDATE'', ''CARDS_ORDERED'', ''CARDS_ACTIVATED''))')
    WHERE type = 'table' AND name = 'webhook_subscriptions';
UPDATE sqlite_schema SET sql = replace(sql,
    'CHECK (topic = ''CARDS_CREATE'' OR topic = ''CARDS_UPDATE'' OR topic = ''CARDS_ORDERED'' OR topic = ''CARDS_ACTIVATED'')',
    'CHECK (topic IN (''CARDS_CREATE'', ''CARDS_UPDATE'', ''CARDS_ORDERED'', ''CARDS_ACTIVATED''))')
    WHERE type = 'table' AND name = 'deliveries';
UPDATE sqlite_schema SET sql = replace(sql,
    'CHECK (state = ''WAITING'' OR state = ''DUE'' OR state = ''DELIVERED'' OR state = ''FAILED'')',
    'CHECK (state IN (''WAITING'', ''DUE'', ''DELIVERED'', ''FAILED''))')
    WHERE type = 'table' AND name = 'deliveries';
UPDATE sqlite_schema SET sql = replace(sql,
    'CHECK (failure = ''NO_CONNECTION'' OR failure = ''TIME_OUT'' OR failure = ''REFUSED'')',
    'CHECK (failure IN (''NO_CONNECTION'', ''TIME_OUT'', ''REFUSED''))')
    WHERE type = 'table' AND name = 'attempts';
UPDATE sqlite_schema SET sql = replace(sql,
    'CHECK (kind = ''ORDER'' OR kind = ''CARD_ONLINE'' OR kind = ''INVITATION'')',
    'CHECK (kind IN (''ORDER'', ''CARD_ONLINE'', ''INVITATION''))')
    WHERE type = 'table' AND name = 'mails';

-- This connection reads the schema anew; so do all others, since a table came and went.
PRAGMA writable_schema = RESET;
CREATE TABLE checks_were_edited (id INTEGER PRIMARY KEY) STRICT;
DROP TABLE checks_were_edited;
