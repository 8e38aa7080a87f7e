-- How a business shows itself, requests that are sent often, and what is counted for good (ADR 0035).

alter table business
  -- Dark enough for white words on it; core says so.
  add column accent text check (accent ~ '^#[0-9a-f]{6}$'),
  add column sender_name text check (length(sender_name) between 1 and 100);

-- As it was cleaned. Everybody who is asked to sign sees it, so it is no secret; a new one has a new id, and so a new address.
create table business_logo (
  business_id uuid primary key references business,
  id uuid not null unique,
  png bytea not null,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  created_at timestamptz not null
);

create table template (
  id uuid primary key,
  business_id uuid not null references business,
  kind text not null check (kind in ('demo', 'production')),
  owner_id uuid not null references api_user,
  name text not null,
  request jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on template (business_id, kind);

-- These documents stay as long as the template does.
create table template_document (
  template_id uuid not null references template on delete cascade,
  position integer not null,
  document_id uuid not null references document,
  primary key (template_id, position),
  unique (template_id, document_id)
);
create index on template_document (document_id);

-- Counted in the transaction of what is counted, and never taken back. A business has several rows for one thing and day, so that
-- those who act for it at once do not wait for each other; their sum is what counts.
create table usage_day (
  business_id uuid not null references business,
  day date not null,
  kind text not null check (kind in ('demo', 'production')),
  what text not null,
  slot integer not null,
  count integer not null check (count > 0),
  primary key (business_id, day, kind, what, slot)
);
