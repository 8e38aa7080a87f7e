-- Calls are claimed by mode and business, so that those of demo have places of their own. Only open calls are in the index, so it is
-- small.
create index delivery_by_mode on delivery (retry, kind, business_id, due_at) where state = 'OPEN';
-- `delivery_due` stays for workers of the version before; a later release drops it.
