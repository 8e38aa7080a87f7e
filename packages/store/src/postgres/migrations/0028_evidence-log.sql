-- Evidence as leaves of a log that others can check (ADR 0052).

-- What happened to one request, one order of a seal, or one report. Counting is under the lock of its row.
create table story (
  id uuid primary key,
  business_id uuid not null references business,
  kind text not null check (kind in ('demo', 'production')),
  last_seq integer not null,
  -- Somebody may need it: it is not erased until then.
  held_since timestamptz,
  -- Sealed with the key of the story.
  hold_reason bytea,
  erased_at timestamptz,
  check (held_since is null or erased_at is null),
  check ((held_since is null) = (hold_reason is null))
);
create index on story (business_id);

-- What was said is sealed with the key of its story, and nothing else opens it: erasing is to destroy this row.
create table story_key (
  story_id uuid primary key references story,
  business_id uuid not null references business,
  key_version integer not null,
  wrapped_key bytea not null
);
create index on story_key (business_id, key_version);

-- Nothing was released, and what there is lies in the clear.
alter table evidence disable trigger evidence_is_append_only;
truncate evidence;
alter table evidence
  drop column data,
  -- In the order of arrival, which is not that of commits.
  add column position bigint generated always as identity unique,
  -- Salt and body.
  add column sealed bytea not null,
  -- The salted hash: what the log has of it.
  add column entry bytea not null check (length(entry) = 32),
  add foreign key (request_id) references story;
alter table evidence enable trigger evidence_is_append_only;

-- Written with the evidence, and taken away by whoever gives it its index: so no commit waits for another.
create table log_waiting (
  position bigint primary key references evidence (position),
  kind text not null
);
create index on log_waiting (kind, position);

create table log_leaf (
  kind text not null check (kind in ('demo', 'production')),
  index bigint not null,
  position bigint not null unique references evidence (position),
  primary key (kind, index)
);

-- The widest tile of each place (C2SP tlog-tiles): a narrower one is its beginning.
create table log_tile (
  kind text not null,
  level smallint not null,
  n bigint not null,
  hashes bytea not null check (length(hashes) between 32 and 8192 and length(hashes) % 32 = 0),
  primary key (kind, level, n)
);

-- Who signs the heads, and by which name the log is known; both for good.
create table log_key (
  kind text primary key check (kind in ('demo', 'production')),
  origin text not null unique,
  key_label text not null,
  public_key bytea not null check (length(public_key) = 32),
  created_at timestamptz not null
);

create table log_head (
  kind text primary key check (kind in ('demo', 'production')),
  size bigint not null,
  root bytea not null check (length(root) = 32)
);

-- Heads that were signed, each with the time-stamp over it where it got one.
create table log_checkpoint (
  kind text not null,
  size bigint not null,
  note text not null,
  signed_at timestamptz not null,
  stamp bytea,
  primary key (kind, size)
);
create index on log_checkpoint (kind, size) where stamp is not null;

create function log_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the log is append-only';
end $$;
create trigger log_is_append_only before update or delete or truncate on log_leaf
  for each statement execute function log_is_append_only();
create trigger log_is_append_only before update or delete or truncate on log_key
  for each statement execute function log_is_append_only();
create trigger log_is_append_only before delete or truncate on log_checkpoint
  for each statement execute function log_is_append_only();
-- A head gets one time-stamp, and is otherwise as it was signed.
create trigger log_head_is_signed before update on log_checkpoint
  for each row when (old.stamp is not null or (old.kind, old.size, old.note, old.signed_at)
    is distinct from (new.kind, new.size, new.note, new.signed_at))
  execute function log_is_append_only();
