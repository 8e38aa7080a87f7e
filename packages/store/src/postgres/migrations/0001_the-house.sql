-- The house: one model for three versions of the wire. Every row that belongs to a business says so, every
-- request has 1 to 50 documents with a chain of versions each, every signature one mark per document.

create table business (
  id uuid primary key,
  name text not null,
  -- The business's own key, wrapped by the operator's (ADR 0008).
  wrapped_key bytea not null,
  created_at timestamptz not null
);

create table api_user (
  id uuid primary key,
  business_id uuid not null references business,
  username text not null unique,
  created_at timestamptz not null,
  removed_at timestamptz
);

create table api_key (
  id uuid primary key,
  business_id uuid not null references business,
  api_user_id uuid not null references api_user,
  kind text not null check (kind in ('demo', 'production')),
  -- HMAC-SHA-256 with a pepper that is not in the database: a stolen dump opens nothing.
  key_hash bytea not null unique,
  -- The last characters, so that people can tell their keys apart.
  hint text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index on api_key (api_user_id);

create table document (
  id uuid primary key,
  business_id uuid not null references business,
  kind text not null check (kind in ('demo', 'production')),
  owner_id uuid not null references api_user,
  title text not null,
  content_type text not null,
  size_bytes bigint not null,
  sha256 bytea not null,
  page_count integer not null,
  page_width integer not null,
  page_height integer not null,
  parent_id uuid references document,
  blob_name text not null unique,
  wrapped_key bytea not null,
  read_access text[] not null,
  write_access text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on document (owner_id, created_at desc);
create index on document (parent_id) where parent_id is not null;

create table signature_request (
  id uuid primary key,
  business_id uuid not null references business,
  kind text not null check (kind in ('demo', 'production')),
  owner_id uuid not null references api_user,
  title text not null,
  message text,
  lifecycle text not null check (lifecycle in ('draft', 'started', 'failed', 'expired', 'withdrawn')),
  -- Derived from lifecycle and signatures; stored for filters, asserted on write and on read.
  status text not null check (status in ('DRAFT', 'OPEN', 'SIGNED', 'DECLINED', 'ERROR', 'EXPIRED', 'WITHDRAWN')),
  inviting text not null check (inviting in ('in-order', 'all-at-once')),
  quality text not null,
  legislation text,
  callback_success_url text,
  callback_update_url text,
  callback_error_url text,
  read_access text[] not null,
  write_access text[] not null,
  cc_email_addresses text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on signature_request (owner_id, created_at desc);
create index on signature_request (business_id, status, created_at desc);

create table request_document (
  request_id uuid not null references signature_request,
  position integer not null,
  -- The uploaded one, which stays, and the newest version of its chain.
  document_id uuid not null references document,
  newest_id uuid not null references document,
  primary key (request_id, document_id),
  unique (request_id, position)
);
create index on request_document (document_id);

create table signature (
  id uuid primary key,
  request_id uuid not null references signature_request,
  position integer not null,
  email text not null,
  place integer,
  language text not null,
  state text not null check (state in ('open', 'declined', 'signed', 'error')),
  consent jsonb,
  signed_at timestamptz,
  decline_reason text,
  unique (request_id, position)
);
create index on signature (email, request_id);

create table mark (
  signature_id uuid not null references signature,
  document_id uuid not null references document,
  -- The version that this mark made: at most one signature per entry and document, by the key of this table.
  version_id uuid unique references document,
  primary key (signature_id, document_id)
);

-- What is about to be signed is on record before a key is used, the raw value before the PDF is finished.
create table signing_intent (
  signature_id uuid not null references signature,
  document_id uuid not null references document,
  base_id uuid not null references document,
  version_id uuid not null unique,
  prepared jsonb not null,
  value bytea,
  created_at timestamptz not null,
  primary key (signature_id, document_id, base_id)
);

-- Appended in the transaction of the change that it tells of; never updated or deleted.
create table evidence (
  request_id uuid not null references signature_request,
  seq integer not null,
  business_id uuid not null references business,
  type text not null,
  at timestamptz not null,
  signature_id uuid references signature,
  data jsonb not null,
  primary key (request_id, seq)
);

create function evidence_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'evidence is append-only';
end $$;
create trigger evidence_is_append_only before update or delete or truncate on evidence
  for each statement execute function evidence_is_append_only();

-- The links that were mailed, as hashes: a stolen dump opens no door.
create table signing_link (
  token_hash bytea primary key,
  signature_id uuid not null references signature,
  created_at timestamptz not null
);
create index on signing_link (signature_id);

create table signer_session (
  id_hash bytea primary key,
  signature_id uuid not null references signature,
  created_at timestamptz not null,
  seen_at timestamptz not null
);
create index on signer_session (signature_id);

-- One row per callback that was owed: what was called, how often, and what came back (EVT-07).
create table callback (
  id uuid primary key,
  business_id uuid not null references business,
  request_id uuid not null references signature_request,
  type text not null check (type in ('success', 'update', 'error')),
  url text not null,
  state text not null check (state in ('OPEN', 'COMPLETED', 'RESIGNED')),
  attempts integer not null default 0,
  messages text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on callback (request_id, created_at);

-- Counters of the exact limits (login), in the shape that rate-limiter-flexible keeps.
create table rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index on rate_limit (expire);
