-- What became of the mails, copies of those that are about demo requests, and what operators need (ADR 0036).

-- One row for each mail, by the id of its job, which is its Message-ID too. It says whom it went to as far as somebody knows their
-- own address by it, and nothing of what it said. It outlives what it tells of, so nothing here is a foreign key.
create table mail_log (
  id uuid primary key,
  -- Null where we wrote for ourselves, about somebody's account.
  business_id uuid,
  request_id uuid,
  signature_id uuid,
  type text not null,
  recipient text not null,
  state text not null check (state in ('WAITING', 'SENT', 'FAILED', 'BOUNCED')),
  attempts integer not null,
  -- In words of ours: those of a mail server are a stranger's.
  error text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on mail_log (created_at, id);
create index on mail_log (business_id, created_at, id);
create index on mail_log (signature_id, created_at) where signature_id is not null;
-- What did not go well is little, and looked for all the time.
create index on mail_log (created_at, id) where state <> 'SENT';

-- Copies for whoever builds something with a demo key. They hold signing links and codes, so both parts are sealed with a key made
-- of the business's, and they go with their request.
create table captured_mail (
  id uuid primary key,
  business_id uuid not null references business,
  request_id uuid not null references signature_request on delete cascade,
  type text not null,
  -- To whom, and about what; apart from the words, so that a list opens little.
  envelope bytea not null,
  content bytea not null,
  key_version integer not null,
  created_at timestamptz not null,
  -- A key does not go before what is sealed with it.
  foreign key (business_id, key_version) references business_key (business_id, version)
);
create index on captured_mail (business_id, created_at, id);
create index on captured_mail (request_id, created_at, id);
create index on captured_mail (created_at);
create index on captured_mail (business_id, key_version);

-- Whatever the code above believes, no copy of a production mail is ever kept.
create function only_demo_mails_are_captured() returns trigger language plpgsql as $$
begin
  if not exists (select from signature_request where id = new.request_id and kind = 'demo') then
    raise exception 'only mails about demo requests are captured';
  end if;
  return new;
end $$;
create trigger only_demo_mails_are_captured before insert or update on captured_mail
  for each row execute function only_demo_mails_are_captured();

-- What became of the events that one webhook was owed, the newest first.
create index on delivery (webhook_id, created_at, id) where webhook_id is not null;
drop index if exists delivery_webhook_id_idx;
create index on delivery (updated_at) where state = 'RESIGNED';

-- Whether the person proved more than a password at this login: by a passkey, or by an authenticator app beside the password.
alter table account_session add column strong boolean not null default false;

-- The certificates that a worker signs with, as it read them when it started: operators see how long each is good.
create table service_certificate (
  name text primary key,
  subject text not null,
  not_after timestamptz not null,
  noted_at timestamptz not null
);
