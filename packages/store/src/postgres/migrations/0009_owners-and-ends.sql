-- Whose a group is, and from which columns the sweep finds what is over.

-- Who joins a group reads and signs what it is named for, so it is changed by who made it. Of those that are there nobody
-- wrote down who that was: they go to the first user of their business.
alter table signer_group add column owner_id uuid references api_user;
update signer_group g set owner_id =
  (select id from api_user u where u.business_id = g.business_id order by u.created_at, u.id limit 1);
alter table signer_group alter column owner_id set not null;

-- What is over goes after some time; found by these, so that a sweep reads no more than it removes.
create index delivery_over on delivery (updated_at) where state <> 'OPEN';
create index on event (created_at);
-- Whoever removes an event is asked by this whether it is still owed to a webhook.
create index on delivery (event_id) where event_id is not null;
create index on signer_session (created_at);
-- A link works until its signature or its request has ended, which may take years: it is looked at again and again.
alter table signing_link add column look_at timestamptz;
update signing_link set look_at = created_at;
alter table signing_link alter column look_at set not null;
create index on signing_link (look_at);

-- The key by which the newest secret of a webhook was shown: when that key is revoked, whoever had it knows the secret, or made
-- the webhook. Null: of the time before, so any key of its user may be the one.
alter table webhook
  add column shown_to_key uuid references api_key,
  add column stopped_at timestamptz;
create index on webhook (owner_id);

-- What the row says of the bytes, sealed with the attachment's own key and bound to its id and its request.
alter table attachment
  add column details bytea,
  -- Of the time before, whose rows nobody sealed; every later one is sealed, or is not read.
  add column unsealed boolean not null default false;
update attachment set unsealed = true;
