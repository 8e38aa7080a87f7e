-- 'service' in a session or transaction that set `paraph.scope` and acts for no business: it reads and writes rows of all businesses. Null in
-- every other one, so that a transaction of a business never has the scope of the service (ADR 0091). Row policies call it (row-policies.ts).
-- It calls no function of ours: pg_dump, which applies the policies, empties the search path.
create function access_scope() returns text language sql stable parallel safe
  as $$ select case when nullif(current_setting('paraph.business', true), '') is null then current_setting('paraph.scope', true) end $$;
