-- Who a signer is, by a provider of identification (ADR 0044).
create table identification (
  id uuid primary key,
  signature_id uuid not null unique references signature,
  business_id uuid not null references business,
  provider text not null,
  -- Asked for whatever the quality.
  required boolean not null,
  state text not null check (state in ('CREATED', 'STARTED', 'PENDING_REVIEW', 'ACCEPTED', 'REJECTED')),
  attempt integer not null,
  started_at timestamptz,
  returned_at timestamptz,
  decided_at timestamptz,
  until timestamptz,
  ask_at timestamptz,
  reason text,
  name text,
  -- What opens the provider's word on the person, sealed, for as long as it is asked.
  tokens bytea,
  key_version integer,
  foreign key (business_id, key_version) references business_key,
  check ((tokens is null) = (key_version is null)),
  -- Nobody is accepted of whom nothing is known.
  check (state <> 'ACCEPTED' or (name is not null and returned_at is not null and decided_at is not null))
);
create index identification_ask on identification (ask_at) where ask_at is not null;
create index on identification (business_id, key_version);

-- A way to a provider, until somebody comes back with it, once.
create table identification_attempt (
  state_hash bytea primary key,
  browser_hash bytea not null,
  identification_id uuid not null references identification on delete cascade,
  attempt integer not null,
  created_at timestamptz not null
);
create index on identification_attempt (identification_id);
create index on identification_attempt (created_at);

-- Files of evidence are kept as attachments are, and shown as none.
alter table attachment add column identification_id uuid references identification;
create unique index on attachment (identification_id, filename) where identification_id is not null;
