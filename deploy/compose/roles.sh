#!/usr/bin/env bash
# Run once by the image of PostgreSQL, as its superuser, when there is no database yet. One role owns the schema, for `paraph migrate`
# alone; the one of the server can do nothing but what migrations grant to it. Neither is a superuser.
set -euo pipefail

psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<SQL
\\set owner_password \`cat /run/secrets/owner-password\`
\\set server_password \`cat /run/secrets/server-password\`
create role paraph_owner login password :'owner_password';
create role paraph_server login password :'server_password';
create database paraph owner paraph_owner;
revoke connect, temporary on database paraph from public;
grant connect on database paraph to paraph_server;
SQL
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname paraph \
  --command 'alter schema public owner to paraph_owner'
