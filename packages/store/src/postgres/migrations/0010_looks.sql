-- What a person draws or sends to sign with, from then until the signature is made: sealed with a key made of the business's,
-- and one of it for a signature. The consent only says what kind it is.
create table signature_look (
  signature_id uuid primary key references signature,
  id uuid not null unique,
  business_id uuid not null references business,
  type text not null check (type in ('drawn', 'picture')),
  sealed bytea not null,
  key_version integer not null,
  created_at timestamptz not null,
  -- A key does not go before what is sealed with it.
  foreign key (business_id, key_version) references business_key (business_id, version)
);
create index on signature_look (created_at);
create index on signature_look (business_id, key_version);
