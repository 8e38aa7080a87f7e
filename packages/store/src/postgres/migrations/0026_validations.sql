-- What validations say, for ten minutes, and what they cost, for good (ADR 0048).

-- The document itself is not kept. What is said of it names people: it is sealed by the key of the business.
create table validation (
  id uuid primary key,
  business_id uuid not null references business,
  kind text not null check (kind in ('demo', 'production')),
  owner_id uuid not null references api_user,
  result bytea not null,
  key_version integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index on validation (expires_at);
create index on validation (business_id);

-- A page before, after, and where they differ; sealed in the same way.
create table validation_picture (
  validation_id uuid not null references validation on delete cascade,
  n integer not null,
  view text not null check (view in ('before', 'after', 'difference')),
  png bytea not null,
  primary key (validation_id, n, view)
);

-- What an operator has agreed with a business; one without a row has what is usual.
create table credit_agreement (
  business_id uuid primary key references business,
  price integer not null check (price >= 0),
  -- In a calendar month; null: as many as it likes.
  included integer check (included >= 0),
  valid_from timestamptz not null
);

-- Booked in the transaction of what is paid for, and never taken back. As in usage_day, those who act at once have rows of their own.
create table credit_day (
  business_id uuid not null references business,
  day date not null,
  kind text not null check (kind in ('demo', 'production')),
  sku text not null,
  slot integer not null,
  requests bigint not null check (requests > 0),
  credits bigint not null check (credits >= 0),
  primary key (business_id, day, kind, sku, slot)
);

-- Trusted lists as they came, each believed when it was kept: with them everything can be judged again without asking anybody.
create table trusted_list (
  address text primary key,
  bytes bytea not null,
  changed_at timestamptz not null
);

-- When a worker last looked for newer ones, and what was wrong then. One row.
create table trusted_list_look (
  only_one boolean primary key default true check (only_one),
  looked_at timestamptz not null,
  -- Grows with each change of the lists.
  version bigint not null,
  problems jsonb not null
);
