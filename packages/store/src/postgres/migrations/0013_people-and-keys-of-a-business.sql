-- What a business manages by itself: its people and its API keys (ADR 0034).

alter table api_key
  -- What people call it; a key of the time before goes by the name of its user.
  add column name text,
  -- The e-mail address of whoever made it, where a person did.
  add column created_by text,
  -- At a login or with a token; written at most once a minute.
  add column last_used_at timestamptz;
update api_key k set name = u.username from api_user u where u.id = k.api_user_id;
alter table api_key alter column name set not null;
create index on api_key (business_id, created_at desc, id desc);

alter table membership
  -- What those call the person who added them: another business does not learn a person's own name from the address alone.
  add column given_name text,
  -- When the person last did something in this business; what they do elsewhere is not this business's to know.
  add column seen_at timestamptz,
  -- By somebody of the business, and not by the operator or by the person: until they have been here, nothing is said in their name.
  add column invited boolean not null default false;
update membership m set given_name = a.name from account a where a.id = m.account_id;
