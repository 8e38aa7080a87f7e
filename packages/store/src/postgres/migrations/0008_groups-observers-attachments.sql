-- Groups of people, those of them that are to sign or to observe, and the files that go along with a request unsigned.

create table signer_group (
  id uuid primary key,
  business_id uuid not null references business,
  kind text not null check (kind in ('demo', 'production')),
  name text not null,
  -- Another one with each change: who changes a group says which one they have seen.
  version_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on signer_group (business_id, kind, created_at desc, id desc);

create table signer_group_member (
  group_id uuid not null references signer_group on delete cascade,
  position integer not null,
  email text not null,
  first_name text,
  last_name text,
  language text,
  primary key (group_id, position)
);
-- Nobody signs twice for the same group, however the address is written.
create unique index on signer_group_member (group_id, lower(email));
create index on signer_group_member (email, group_id);

-- A group that is to sign; at initiate its members become signatures, and the entry goes. So a group that has a row here
-- is needed by a draft.
create table request_group (
  id uuid primary key,
  request_id uuid not null references signature_request,
  group_id uuid not null references signer_group,
  position integer not null,
  place integer not null,
  notify boolean not null,
  -- Whether it was asked for certain documents only.
  restricted boolean not null,
  marks jsonb not null
);
create index on request_group (request_id, position);
create index on request_group (group_id);

create table observer (
  id uuid primary key,
  request_id uuid not null references signature_request,
  email text,
  group_id uuid references signer_group,
  invited_at timestamptz not null,
  invited_by text not null,
  check ((email is null) <> (group_id is null)),
  -- Decisions, "v3 observers": adding twice is one observer.
  unique (request_id, email),
  unique (request_id, group_id)
);
create index on observer (group_id) where group_id is not null;
create index on observer (email) where email is not null;

create table attachment (
  id uuid primary key,
  business_id uuid not null references business,
  request_id uuid not null references signature_request,
  filename text not null,
  content_type text not null,
  size_bytes bigint not null,
  sha256 bytea not null,
  -- As a document's: one object, one key, and the order in which a bucket lists its objects.
  blob_name text collate "C" not null unique,
  wrapped_key bytea not null,
  key_version integer not null,
  created_at timestamptz not null,
  foreign key (business_id, key_version) references business_key
);
create index on attachment (request_id, created_at);
create index on attachment (business_id, key_version);
