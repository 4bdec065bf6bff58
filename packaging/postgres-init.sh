#!/bin/sh
# Creates the role and the database of the service in a new PostgreSQL, run once by its image: the service is no superuser.
set -eu
psql --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres --set password="$CARDS_PASSWORD" <<'SQL'
CREATE ROLE cards LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE cards OWNER cards;
REVOKE CONNECT ON DATABASE cards FROM PUBLIC;
SQL
