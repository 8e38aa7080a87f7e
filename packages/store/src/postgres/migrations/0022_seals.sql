-- Company seals (ADR 0043): who may seal with what, each order, and many of them at once.

create table seal (
  id uuid primary key,
  business_id uuid not null references business,
  kind text not null check (kind in ('demo', 'production')),
  -- `account_name` of the interface.
  name text not null check (name <> ''),
  -- As the certificates name the company.
  organization text not null check (organization <> ''),
  organization_identifier text,
  country text check (country ~ '^[A-Z]{2}$'),
  issuer text not null check (issuer in ('service', 'outside')),
  key_algorithm text not null check (key_algorithm in ('P-256', 'RSA-3072')),
  image_id uuid,
  created_at timestamptz not null,
  ended_at timestamptz,
  unique (id, business_id, kind)
);
create unique index seal_name on seal (business_id, kind, lower(name)) where ended_at is null;

-- Its generations. The key lies in the token of the kind, under the label; on record before it is made.
create table seal_certificate (
  id uuid primary key,
  seal_id uuid not null references seal,
  generation integer not null check (generation > 0),
  key_label text not null unique,
  certificate bytea,
  -- Issuers, the nearest first.
  chain bytea[] not null,
  not_before timestamptz,
  not_after timestamptz,
  created_at timestamptz not null,
  unique (seal_id, generation),
  check ((certificate is null) = (not_before is null) and (certificate is null) = (not_after is null))
);
create index on seal_certificate (not_after);

-- PNG of our own making: what a seal shows, or what came with an order and goes with it.
create table seal_image (
  id uuid primary key,
  business_id uuid not null references business,
  png bytea not null,
  created_at timestamptz not null
);

create table seal_batch (
  id uuid primary key,
  business_id uuid not null references business,
  kind text not null,
  owner_id uuid not null references api_user,
  seal_id uuid not null,
  cancelled_at timestamptz,
  -- When none of its orders waited any more.
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A demo key never seals with a seal of production.
  foreign key (seal_id, business_id, kind) references seal (id, business_id, kind)
);
create index on seal_batch (business_id, owner_id, kind, created_at desc);
create index on seal_batch (business_id, kind) where ended_at is null;
create index on seal_batch (created_at);

create table sealing (
  id uuid primary key,
  business_id uuid not null references business,
  kind text not null,
  seal_id uuid not null,
  batch_id uuid references seal_batch on delete cascade,
  place integer not null,
  -- Documents are deleted by whom they belong to, while an order waits and after it.
  base_id uuid not null,
  is_upload boolean not null,
  version_id uuid not null unique,
  position jsonb,
  image_id uuid,
  ordered_by text not null,
  state text not null check (state in ('waiting', 'done', 'failed', 'cancelled')),
  waiting_for text check (waiting_for in ('keys', 'timestamp', 'revocation')),
  fault jsonb,
  -- What will be appended, sealed with the key of the document; the value; the time-stamp over it (signature-cycle.md).
  prepared jsonb,
  value bytea,
  stamp bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((state = 'failed') = (fault is not null)),
  check (state = 'waiting' or (prepared is null and value is null and stamp is null)),
  foreign key (seal_id, business_id, kind) references seal (id, business_id, kind)
);
create index on sealing (batch_id, place) where batch_id is not null;
create index on sealing (created_at) where batch_id is null and state <> 'waiting';
