-- Keys of signers that lie at a provider (ADR 0046).
alter table signing_release alter column key_label drop not null;
-- Provider, credential and algorithm.
alter table signing_release add column remote jsonb;
alter table signing_release add check ((key_label is null) <> (remote is null));

alter table signature drop constraint signature_waiting_for_check;
alter table signature add constraint signature_waiting_for_check
  check (waiting_for in ('keys', 'timestamp', 'revocation', 'provider'));

-- What is on record of one signature at a provider: each step before the next begins.
create table remote_signing (
  release_id uuid primary key,
  signature_id uuid not null references signature,
  business_id uuid not null references business,
  provider text not null,
  -- What opens the provider, sealed, for as long as something is asked of it.
  token bytea,
  key_version integer,
  -- Signing was asked for, and no answer came that says no.
  may_have_signed boolean not null default false,
  response_id text,
  problem text,
  -- One process at a time asks.
  leased_until timestamptz,
  created_at timestamptz not null,
  foreign key (business_id, key_version) references business_key,
  check ((token is null) = (key_version is null))
);
create index on remote_signing (signature_id, created_at);
create index on remote_signing (business_id, key_version);

-- A way to a provider, until somebody comes back with it, once.
create table remote_way (
  state_hash bytea primary key,
  browser_hash bytea not null,
  release_id uuid not null references remote_signing on delete cascade,
  visit text not null check (visit in ('log-in', 'release')),
  created_at timestamptz not null
);
create index on remote_way (release_id);
create index on remote_way (created_at);
