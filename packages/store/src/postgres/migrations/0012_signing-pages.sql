-- What a signer's session knows beside its signature, the code by which an address is proved, and what a business says of origins.

alter table signer_session
  -- By which way the person came; a preview that was proved by a code is no preview any more.
  add column way text not null default 'link' check (way in ('link', 'preview', 'code', 'account')),
  -- Part 4: what the integrator put behind the address; null where there was nothing.
  add column exits jsonb,
  add column hide_download boolean not null default false,
  -- What the address asked for, or the person chose since.
  add column language text check (language in ('en', 'de', 'fr', 'it'));
update signer_session set way = 'preview' where preview;

-- One code for a signature at a time (decisions, "what a quality means here"). It is kept as a keyed hash, which is bound to the
-- session that asked for it; null until a worker has made the code.
create table signer_code (
  signature_id uuid primary key references signature on delete cascade,
  session_hash bytea not null,
  -- Which of the askings it is: a job of an earlier one makes no code.
  number integer not null,
  code_hash bytea,
  asked_at timestamptz not null,
  attempts_left integer not null check (attempts_left >= 0),
  -- When codes were asked for within the last hour.
  asked timestamptz[] not null,
  -- Wrong ones, ever: guessing does not become easier by patience.
  wrong integer not null check (wrong >= 0)
);

-- How often something was done within a day, over all signatures and businesses: a wrong code, or a code that was sent. By a hash:
-- nobody's address belongs in a table of counters.
create table day_count (
  day date not null,
  key bytea not null,
  count integer not null check (count >= 0),
  primary key (day, key)
);

alter table business
  -- Decisions, "exit URLs": empty: the business lists none, and every address is let through.
  add column exit_origins text[] not null default '{}',
  -- Who may show its signing pages in a frame; empty: nobody.
  add column embed_origins text[] not null default '{}';
