-- Who there is beside the API users, what is agreed with a business, and a record of every administrative act (ADR 0025).

alter table business
  -- Part 2.1 auto_delete_at: days after creation; null: a request stays until somebody deletes it.
  add column retention_days integer check (retention_days between 1 and 36500),
  add column default_quality text not null default 'SES'
    check (default_quality in ('SES', 'AES', 'AES_MINIMAL', 'QES')),
  -- Part 5.6: the lifetime of an API key is agreed per customer.
  add column key_lifetime_days integer not null default 365 check (key_lifetime_days between 1 and 3650);

create table business_feature (
  business_id uuid not null references business,
  feature text not null check (feature in ('sealing', 'expires_at', 'group_observers', 'express_qes')),
  primary key (business_id, feature)
);

-- A person, known across the businesses of this deployment by the e-mail address, however it is written.
create table account (
  id uuid primary key,
  email text not null,
  name text not null,
  created_at timestamptz not null
);
create unique index on account (lower(email));

create table membership (
  business_id uuid not null references business,
  account_id uuid not null references account,
  role text not null check (role in ('owner', 'admin', 'developer', 'member')),
  created_at timestamptz not null,
  primary key (business_id, account_id)
);
create index on membership (account_id);

-- Decisions, "roles": operators stand beside the businesses.
create table operator (
  account_id uuid primary key references account,
  created_at timestamptz not null
);

-- One row for each act, in the transaction of the act; it outlives what it tells of, so nothing here is a foreign key.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- The operator or member who acted, where that is known, and the user of the shell where one was used.
  actor text,
  shell_user text,
  act text not null,
  business_id uuid,
  target text not null,
  before jsonb,
  after jsonb,
  check (actor is not null or shell_user is not null)
);
create index on audit_log (business_id, id);
create index on audit_log (at);

create function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_is_append_only before update or delete or truncate on audit_log
  for each statement execute function audit_log_is_append_only();

-- Who signed when, for the list of activities alone: in the order in which it is read, kept by the database itself, so that no
-- way of saving a signature can leave one out.
create table signature_activity (
  business_id uuid not null,
  kind text not null,
  signed_at timestamptz not null,
  signature_id uuid not null references signature on delete cascade,
  request_id uuid not null,
  primary key (business_id, kind, signed_at, signature_id)
);
create unique index on signature_activity (signature_id);
insert into signature_activity (business_id, kind, signed_at, signature_id, request_id)
  select r.business_id, r.kind, s.signed_at, s.id, r.id
    from signature s join signature_request r on r.id = s.request_id where s.signed_at is not null;

create function note_signature() returns trigger language plpgsql as $$
begin
  insert into signature_activity (business_id, kind, signed_at, signature_id, request_id)
    select r.business_id, r.kind, new.signed_at, new.id, r.id from signature_request r where r.id = new.request_id
    on conflict do nothing;
  return null;
end $$;
create trigger note_signature after insert or update of signed_at on signature
  for each row when (new.signed_at is not null) execute function note_signature();
