-- What others say of a person, a key or a business counts once those whom it concerns have said so (ADR 0034 to 0037).

alter table membership
  -- When the person said yes, or an operator or a provider of the business vouched for them; null: they are invited.
  add column accepted_at timestamptz,
  -- The e-mail address of whoever invited them; null where nobody had to.
  add column invited_by text;
-- Who was invited before and has never been there is invited still. The column is left for the version before, and goes later.
update membership set accepted_at = created_at where not invited or seen_at is not null;

-- A business that has an owner keeps one, whoever changes it and however many at once: the last look is at the end of the
-- transaction, one after the other.
create function a_business_keeps_an_owner() returns trigger language plpgsql as $$
begin
  perform from business where id = old.business_id for no key update;
  if not exists (select from membership where business_id = old.business_id and role = 'owner' and accepted_at is not null) then
    raise exception 'the last owner of a business stays' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger a_business_keeps_an_owner after update or delete on membership
  deferrable initially deferred for each row when (old.role = 'owner' and old.accepted_at is not null)
  execute function a_business_keeps_an_owner();

-- The name of an account is the one that the person gave. What others called somebody who never did stays with those who said it.
create temporary table named_by_others on commit drop as
  select a.id, a.name from account a
   where not exists (select from account_credentials c where c.account_id = a.id and (c.password_hash is not null or c.totp_since is not null))
     and not exists (select from account_passkey p where p.account_id = a.id);
update membership m set given_name = n.name from named_by_others n where n.id = m.account_id and m.given_name is null;
update account a set name = a.email from named_by_others n where n.id = a.id;

-- An operator ended it because it was out: its business may claim one in its place, once.
alter table api_key
  add column reset_by_operator_at timestamptz,
  add column claimed_at timestamptz,
  add check (reset_by_operator_at is null or revoked_at is not null),
  add check (claimed_at is null or reset_by_operator_at is not null);

-- An operator has confirmed that this sender's name is one of the business.
alter table business add column sender_name_confirmed_at timestamptz;
