-- What people log in with, their sessions, and what they did with their own accounts (ADR 0030).

create table account_credentials (
  account_id uuid primary key references account,
  -- argon2id with its parameters, as the PHC string format writes it.
  password_hash text,
  password_at timestamptz,
  -- The secret of an authenticator app, wrapped by the operator's key. It is asked for once `totp_since` is set.
  totp_kek_id text,
  totp_wrapped bytea,
  totp_since timestamptz,
  -- The last step of 30 seconds whose code was used: it and those before count no more (RFC 6238, 5.2).
  totp_step bigint,
  check ((totp_kek_id is null) = (totp_wrapped is null)),
  check (totp_since is null or totp_wrapped is not null)
);

create table account_passkey (
  id text primary key,
  account_id uuid not null references account,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index on account_passkey (account_id);

create table account_recovery_code (
  account_id uuid not null references account,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);

create table account_session (
  id uuid primary key,
  id_hash bytea not null unique,
  account_id uuid not null references account,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  browser text not null,
  network text not null
);
create index on account_session (account_id);
create index on account_session (created_at);

-- Codes that were mailed; a newer one replaces the one before, of the same browser: what others ask for in somebody's name does
-- neither replace theirs nor use up its tries. The address is in small letters.
create table account_code (
  purpose text not null check (purpose in ('register', 'recover')),
  email text not null,
  -- SHA-256 of what the browser holds, in Base64url.
  asked_by text not null,
  code_hash bytea not null,
  tries integer not null default 0,
  created_at timestamptz not null,
  primary key (purpose, email, asked_by)
);
create index on account_code (created_at);

-- Half-way through a login, or through making a passkey.
create table account_step (
  id_hash bytea primary key,
  purpose text not null check (purpose in ('second-factor', 'passkey-login', 'passkey-new')),
  account_id uuid references account,
  challenge text,
  tries integer not null default 0,
  created_at timestamptz not null
);
create index on account_step (created_at);
create index on account_step (account_id) where account_id is not null;

create table account_event (
  id bigint generated always as identity primary key,
  account_id uuid not null references account,
  at timestamptz not null,
  act text not null,
  detail text,
  browser text not null,
  network text not null
);
create index on account_event (account_id, id);
create index on account_event (account_id, at) where act = 'login-failed';
create function account_event_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'what happened to an account is append-only';
end $$;
create trigger account_event_is_append_only before update or delete or truncate on account_event
  for each statement execute function account_event_is_append_only();

-- A member acts by the interface as an API user of the business, by the e-mail address and without any key: so access lists
-- count for people too (SR-06). Names stay unique among those that log in with a key.
alter table api_user add column account_id uuid references account;
alter table api_user drop constraint api_user_username_key;
create unique index api_user_username on api_user (username) where account_id is null;
create unique index api_user_member on api_user (business_id, account_id) where account_id is not null;

-- Access lists go by names, so in one business no name is both a member's and a key's, however it is written, nor becomes so
-- after one of them is gone. Two at once wait for each other.
create index on api_user (business_id, lower(username));
create function names_are_of_members_or_of_keys() returns trigger language plpgsql as $$
begin
  perform from business where id = new.business_id for no key update;
  if exists (select from api_user u where u.business_id = new.business_id and lower(u.username) = lower(new.username)
               and u.id <> new.id and (u.account_id is null) <> (new.account_id is null)) then
    raise exception 'this name is taken in the business' using errcode = 'unique_violation';
  end if;
  return new;
end $$;
create trigger names_are_of_members_or_of_keys before insert or update of business_id, username, account_id on api_user
  for each row execute function names_are_of_members_or_of_keys();

-- A member whose address is the name of a key's user stays a member, and does not act by the interface: it would be as that user.
do $$
declare clash record;
begin
  for clash in select m.business_id, a.email from membership m join account a on a.id = m.account_id
      join api_user u on u.business_id = m.business_id and lower(u.username) = lower(a.email) loop
    raise warning 'member % of business % has the name of an API user, and cannot act by the interface', clash.email, clash.business_id;
  end loop;
end $$;
insert into api_user (id, business_id, username, created_at, account_id)
  select gen_random_uuid(), m.business_id, a.email, m.created_at, a.id
    from membership m join account a on a.id = m.account_id
    where not exists (select from api_user u where u.business_id = m.business_id and lower(u.username) = lower(a.email));

create function members_have_no_keys() returns trigger language plpgsql as $$
begin
  if exists (select from api_user where id = new.api_user_id and account_id is not null) then
    raise exception 'a member logs in as a person, not with an API key';
  end if;
  return new;
end $$;
create trigger members_have_no_keys before insert or update of api_user_id on api_key
  for each row execute function members_have_no_keys();

-- Of whoever came by their account: it ends with that login.
alter table signer_session add column account_session_id uuid references account_session on delete cascade;
create index on signer_session (account_session_id) where account_session_id is not null;

-- By an API key, or by a login: who was shown the newest secret of a webhook, and who chose its address.
alter table webhook drop constraint webhook_shown_to_key_fkey;
alter table webhook rename column shown_to_key to shown_to;
alter table webhook add column made_by uuid;
update webhook set made_by = shown_to;
