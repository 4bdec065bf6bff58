DROP TABLE version_notices;
DROP TABLE usage;
