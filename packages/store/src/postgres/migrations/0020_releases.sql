-- The turn that a signer has on the documents while releasing a key of their own (ADR 0041).
alter table signature add column turn jsonb;
-- When it is over unless it was released; null where there is none, or it was. The domain row is the only truth about time.
alter table signature add column turn_until timestamptz;
create index signature_turn on signature (turn_until) where turn_until is not null;

-- What a key was offered for, and by what it was released. The whole story is in the evidence; these rows go with the signature.
create table signing_release (
  id uuid primary key,
  signature_id uuid not null references signature (id),
  business_id uuid not null references business (id),
  kind text not null check (kind in ('demo', 'production')),
  key_label text not null,
  certificate bytea not null,
  chain bytea[] not null,
  certificate_sha256 text not null,
  marks jsonb not null,
  until timestamptz not null,
  passed jsonb,
  created_at timestamptz not null default now()
);
create index signing_release_signature on signing_release (signature_id);

-- Keys in the tokens that are to be destroyed: on record before they are made, gone after they are. They outlive the signature's
-- rows, since a key must not be forgotten with them.
create table signer_key (
  key_label text primary key,
  kind text not null check (kind in ('demo', 'production')),
  due_at timestamptz not null
);
create index signer_key_due on signer_key (due_at);
