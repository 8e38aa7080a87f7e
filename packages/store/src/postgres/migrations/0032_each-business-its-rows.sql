-- The business in whose name a transaction acts; null: the service itself (ADR 0062). What goes by it is made table by table, after the
-- migrations (row-policies.ts): a transaction that locked them all would stand in a circle with those under way.
create function asked_business() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('paraph.business', true), '')::uuid $$;
