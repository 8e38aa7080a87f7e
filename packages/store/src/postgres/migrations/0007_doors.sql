-- What every request passes on its way in: keys that make a POST repeatable, and counters of the limits.

-- One row per Idempotency-Key of an API user, for a day (ADR 0026). The row is claimed before the work, the work commits
-- only while its claim stands, and the answer is kept, sealed with the business's key, before it is sent.
create table idempotency_key (
  business_id uuid not null,
  api_user_id uuid not null,
  key_hash bytea not null,
  -- What the key was first used for.
  request_hash bytea not null,
  claim uuid not null,
  lease_until timestamptz not null,
  expires_at timestamptz not null,
  -- Set by the transaction of the work itself, with what it made or changed.
  committed boolean not null default false,
  result text,
  status integer,
  -- Null with a status: there was an answer that is never kept, since it held a secret.
  answer bytea,
  key_version integer,
  primary key (business_id, api_user_id, key_hash)
);
create index on idempotency_key (expires_at);

-- What the processes have counted together. Unlogged: after a crash of the database everybody begins anew.
create unlogged table rate_window (
  key bytea primary key,
  ends_at timestamptz not null,
  points integer not null
);
create index on rate_window (ends_at);
