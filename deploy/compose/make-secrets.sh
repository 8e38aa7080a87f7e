#!/usr/bin/env bash
# Makes the secrets of compose.yaml that are random, in secrets/ of the folder that it is called in. What is there already is left
# as it is. Nobody but you can enter the folder; the files in it can be read by any user, since each container has another one, and
# sees no files but its own.
set -euo pipefail
umask 077
mkdir -p secrets
chmod 700 secrets
cd secrets

# make NAME COMMAND…: what the command prints becomes the file, or there is none.
make() {
  local name=$1
  shift
  [ ! -e "$name" ] || return 0
  "$@" >".$name"
  chmod 444 ".$name"
  mv ".$name" "$name"
  printf 'made secrets/%s\n' "$name"
}
url() { printf 'postgresql://%s:%s@postgres:5432/paraph\n' "$1" "$(cat "$2")"; }

make postgres-password openssl rand -hex 24
make owner-password openssl rand -hex 24
make server-password openssl rand -hex 24
make database-owner-url url paraph_owner owner-password
make database-url url paraph_server server-password
make s3-access-key openssl rand -hex 10
make s3-secret-key openssl rand -hex 24
make key-pepper openssl rand -hex 32
make kek openssl rand -hex 32
make token-key.pem openssl genpkey -algorithm ed25519

for name in demo-pin trust-anchors.pem; do
  [ -e "$name" ] || printf 'secrets/%s is yours to put there\n' "$name"
done
