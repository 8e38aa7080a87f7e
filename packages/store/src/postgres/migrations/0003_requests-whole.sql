-- Signature requests in three versions: what an update may change, signers of every kind, dates that pass, and who may read
-- what, in the order of a list.

alter table signature_request
  add column creator text,
  add column custom text,
  add column attach_on_success text[] not null default '{}',
  -- A date, and the moment at which it passes in the region's time zone; swept by the moment.
  add column expires_on date,
  add column expires_at timestamptz,
  add column expiry_warned_at timestamptz,
  add column auto_delete_on date,
  add column auto_delete_at timestamptz,
  add column withdraw_message text,
  add check ((expires_on is null) = (expires_at is null)),
  add check ((auto_delete_on is null) = (auto_delete_at is null));
-- The domain row is the only truth about time.
create index on signature_request (expires_at) where status = 'OPEN' and expires_at is not null;
create index on signature_request (auto_delete_at) where auto_delete_at is not null;
drop index signature_request_owner_id_created_at_idx;
drop index signature_request_business_id_status_created_at_idx;

alter table request_document
  -- The title of the uploaded document.
  add column name text,
  drop constraint request_document_request_id_position_key,
  -- Looked at when the transaction ends: those behind one that goes move up.
  add constraint request_document_position unique (request_id, position) deferrable initially deferred;
update request_document d set name = (select title from document where id = d.document_id);
alter table request_document alter column name set not null;

alter table signature
  alter column email drop not null,
  add column identity jsonb,
  add column group_id uuid,
  add column notify boolean not null default true,
  add column restricted boolean not null default false,
  add column invited_at timestamptz,
  add column last_viewed_at timestamptz,
  add column reminded_at timestamptz,
  add column mail_problem text,
  drop constraint signature_request_id_position_key,
  add constraint signature_position unique (request_id, position) deferrable initially deferred,
  add check (email is not null or identity is not null);
alter table signature alter column notify drop default, alter column restricted drop default;
-- Everybody who was asked before this day had a mail; so it is the second one that they get next.
update signature s set invited_at = r.created_at
  from signature_request r where r.id = s.request_id and r.lifecycle <> 'draft';
drop index signature_email_request_id_idx;
create index on signature (lower(email), request_id);

alter table mark add column visual jsonb;

-- Opened by an address that others can read too: enough to look, never to sign.
alter table signer_session add column preview boolean not null default false;
alter table signer_session alter column preview drop default;

-- Evidence outlives what it tells of.
alter table evidence
  drop constraint evidence_request_id_fkey,
  drop constraint evidence_signature_id_fkey;

-- For the list alone: one row per request and reader, in the order in which lists are read.
create table request_reader (
  business_id uuid not null,
  kind text not null,
  username text not null,
  created_at timestamptz not null,
  request_id uuid not null references signature_request on delete cascade,
  status text not null,
  primary key (business_id, kind, username, created_at, request_id)
);
create index on request_reader (business_id, kind, username, status, created_at, request_id);
create index on request_reader (request_id);
insert into request_reader (business_id, kind, username, created_at, request_id, status)
  select distinct r.business_id, r.kind, reader, r.created_at, r.id, r.status
    from signature_request r join api_user u on u.id = r.owner_id
    cross join lateral unnest(array[u.username] || r.read_access || r.write_access) as reader;
