-- Sole control of advanced signatures (ADR 0090).

-- A factor activates no signing key of a production signature before this time. Null: at once, as all factors of before.
alter table account_passkey add column held_until timestamptz;
alter table account_credentials add column totp_held_until timestamptz;
-- The hold of the factor that opened the session.
alter table account_session add column factor_held_until timestamptz;

-- The name of an account, as a provider of identification proved it with a production signature. Every business may rely on it.
create table account_identified_name (
  account_id uuid primary key references account on delete cascade,
  name text not null,
  provider text not null,
  proved_at timestamptz not null
);
-- The same, where a member of a business vouched. Only that business may rely on it.
create table account_vouched_name (
  account_id uuid not null references account on delete cascade,
  business_id uuid not null references business,
  name text not null,
  given_name text,
  surname text,
  member text not null,
  proved_at timestamptz not null,
  primary key (account_id, business_id)
);

-- The browser that returned from the provider, known by the SHA-256 of its secret.
alter table identification add column browser_hash bytea;

-- A member of the business vouches for the name of the signer.
alter table signature add column vouch jsonb;

alter table business_feature drop constraint business_feature_feature_check;
alter table business_feature add constraint business_feature_feature_check
  check (feature in ('sealing', 'expires_at', 'group_observers', 'express_qes', 'vouching'));
