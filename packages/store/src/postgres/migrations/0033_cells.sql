-- A business may move to another cell (ADR 0066): what its old cell must know of it, and what the new one.

alter table business
  -- Null: it lives here. 'stopping': what is under way comes to its end, and workers begin nothing. 'moving': its rows are being read by
  -- whoever moves it, and nobody else acts. 'moved': it lives elsewhere, and what is left here is what the logs refer to.
  add column leaving text check (leaving in ('stopping', 'moving', 'moved')),
  -- Places in the journal are transactions of a database. This much is added to what callers are told, so that a place that they were told
  -- in another cell is the same place here.
  add column journal_offset bigint not null default 0;

-- Begins each transaction in the name of a business. The lock is shared by all who act for it; whoever moves it waits for them with one of
-- its own, and nobody else waits with it: who cannot have the lock at once looks first. The look comes after the lock, as a statement of its
-- own, so that it sees what was committed while this waited.
create function act_for(asked uuid) returns void language plpgsql volatile as $$
declare
  is_held boolean := pg_try_advisory_xact_lock_shared(hashtext('paraph business'), hashtext(asked::text));
begin
  perform must_be_here(asked);
  if not is_held then
    perform pg_advisory_xact_lock_shared(hashtext('paraph business'), hashtext(asked::text));
    perform must_be_here(asked);
  end if;
end $$;

create function must_be_here(asked uuid) returns void language plpgsql volatile as $$
declare
  found_leaving text;
begin
  select leaving into found_leaving from business where id = asked;
  if found_leaving in ('moving', 'moved') then
    raise exception 'the business is %', found_leaving using errcode = 'PM001';
  end if;
end $$;

-- The last owner stays, but for a business that has gone.
create or replace function a_business_keeps_an_owner() returns trigger language plpgsql as $$
begin
  perform from business where id = old.business_id for no key update;
  if exists (select from business where id = old.business_id and leaving = 'moved') then
    return null;
  end if;
  if not exists (select from membership where business_id = old.business_id and role = 'owner' and accepted_at is not null) then
    raise exception 'the last owner of a business stays' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
