-- Documents of any size: keys in versions, objects that no document owns, and who may read what, in the order of a list.

-- The keys of a business. The newest wraps what is new; an older one stays until nothing is wrapped by it any more.
create table business_key (
  business_id uuid not null references business,
  version integer not null check (version > 0),
  -- Which key of the operator wraps it (ADR 0018); null: of the time before there was more than one.
  kek_id text,
  wrapped_key bytea not null,
  created_at timestamptz not null,
  primary key (business_id, version)
);
insert into business_key (business_id, version, kek_id, wrapped_key, created_at)
  select id, 1, null, wrapped_key, created_at from business;
alter table business alter column wrapped_key drop not null;

alter table document
  add column key_version integer not null default 1,
  -- What the PDF itself says (names of its fields, its claim of PDF/A): sealed with the document's own key.
  add column details bytea,
  -- Set when its request is deleted; the sweep removes it.
  add column removing_since timestamptz,
  add foreign key (business_id, key_version) references business_key,
  -- A document may outlive the one that it was made of.
  drop constraint document_parent_id_fkey,
  -- In the order in which a bucket lists its objects, so that the two can be laid side by side.
  alter column blob_name type text collate "C";
create index on document (business_id, key_version);
create index on document (removing_since) where removing_since is not null;
-- Whoever removes a document is asked by each of these whether something still needs it.
create index on request_document (newest_id);
create index on mark (document_id);
create index on signing_intent (document_id);
create index on signing_intent (base_id);

-- Every object in the bucket is named by one row: of its document, or of this table. A row comes before the object and goes
-- in the transaction of the document that owns it; what is due is swept, and what the sweep has claimed nobody can own.
create table loose_blob (
  name text collate "C" primary key,
  due_at timestamptz not null,
  claimed boolean not null default false
);
create index on loose_blob (due_at);

-- For the list alone: one row per document and reader, in the order in which lists are read.
create table document_reader (
  business_id uuid not null,
  kind text not null,
  username text not null,
  created_at timestamptz not null,
  document_id uuid not null references document on delete cascade,
  primary key (business_id, kind, username, created_at, document_id)
);
create index on document_reader (document_id);
insert into document_reader (business_id, kind, username, created_at, document_id)
  select distinct d.business_id, d.kind, reader, d.created_at, d.id
    from document d join api_user u on u.id = d.owner_id
    cross join lateral unnest(array[u.username] || d.read_access || d.write_access) as reader;
drop index document_owner_id_created_at_idx;
