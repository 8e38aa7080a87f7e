-- What was erased, each with its receipt, which is a story of its own (ADR 0055).
create table erasure (
  -- Of the receipt.
  id uuid primary key,
  story_id uuid not null unique references story,
  business_id uuid not null references business,
  kind text not null check (kind in ('demo', 'production')),
  about text not null check (about in ('signature-request', 'seal', 'validation')),
  reason text not null check (reason in ('deleted', 'retention')),
  -- The id of a key or of a person, or what did it by itself; never a name.
  erased_by text not null,
  events integer not null check (events >= 0),
  erased_at timestamptz not null,
  -- When to look for what is left of it elsewhere: mails on their way, calls that are owed. Null: nothing is left.
  tidy_at timestamptz
);
create index on erasure (business_id, kind, erased_at, id);
create index on erasure (tidy_at) where tidy_at is not null;

-- By which what is left is found.
create index on mail_log (request_id) where request_id is not null;
create index on idempotency_key (result) where result is not null;

-- The planner keeps samples of values, and of a table that has become empty it keeps the last ones for good. Of what is somebody's,
-- and that nobody is found by, it takes none.
alter table signature_request
  alter column message set statistics 0,
  alter column custom set statistics 0,
  alter column creator set statistics 0,
  alter column withdraw_message set statistics 0,
  alter column cc_email_addresses set statistics 0,
  alter column callback_success_url set statistics 0,
  alter column callback_update_url set statistics 0,
  alter column callback_error_url set statistics 0;
alter table signature
  -- Of an identity without samples the planner would guess that nobody lacks one, and walk a list the long way round.
  add column has_identity boolean not null generated always as (identity is not null) stored,
  alter column identity set statistics 0,
  alter column consent set statistics 0,
  alter column decline_reason set statistics 0,
  alter column mail_problem set statistics 0;
alter table request_document alter column name set statistics 0;
alter table attachment alter column filename set statistics 0;
alter table identification alter column name set statistics 0;
alter table mail_log alter column recipient set statistics 0, alter column error set statistics 0;
alter table delivery alter column url set statistics 0, alter column messages set statistics 0;
