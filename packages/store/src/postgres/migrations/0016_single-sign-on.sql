-- Single sign-on by OpenID Connect, for the people of a business (ADR 0037).

-- Whose addresses a business may log in; granted by the operator, each to one business.
create table granted_domain (
  domain text primary key check (domain = lower(domain)),
  business_id uuid not null references business,
  granted_at timestamptz not null
);
create index on granted_domain (business_id);

create table single_sign_on (
  business_id uuid primary key references business,
  issuer text not null,
  client_id text not null,
  -- Sealed by the key of the business.
  secret bytea not null,
  key_version integer not null,
  enforced boolean not null,
  -- Whether somebody of a granted domain who is no member becomes one by logging in.
  joins boolean not null,
  updated_at timestamptz not null,
  foreign key (business_id, key_version) references business_key (business_id, version)
);

-- Whom the provider calls by which name (`sub`), which is never given again: an address may be. Whoever leaves the business, or
-- a provider that is replaced, takes it along.
create table single_sign_on_subject (
  business_id uuid not null references single_sign_on on delete cascade,
  subject text not null,
  account_id uuid not null,
  created_at timestamptz not null,
  primary key (business_id, subject),
  unique (business_id, account_id),
  foreign key (business_id, account_id) references membership on delete cascade
);

-- On the way to the provider and back. What the browser holds is known by its hash; nonce and verifier are made of it.
create table single_sign_on_attempt (
  state_hash bytea primary key,
  browser_hash bytea not null,
  business_id uuid not null references single_sign_on on delete cascade,
  next text not null,
  created_at timestamptz not null
);
create index on single_sign_on_attempt (created_at);

-- The business whose provider opened it; null where the person had something of their own. It ends with the membership.
alter table account_session add column sso_business_id uuid,
  add foreign key (sso_business_id, account_id) references membership on delete cascade;
create index on account_session (sso_business_id) where sso_business_id is not null;
alter table account_step add column sso_business_id uuid,
  add foreign key (sso_business_id, account_id) references membership on delete cascade;
create index on account_step (sso_business_id) where sso_business_id is not null;
