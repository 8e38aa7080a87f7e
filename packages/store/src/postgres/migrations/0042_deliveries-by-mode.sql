-- Calls are claimed by mode and business, so that those of demo have places of their own. Only open calls are in the index, so it is
-- small.
create index delivery_by_mode on delivery (retry, kind, business_id, due_at) where state = 'OPEN';
-- Nothing is released yet, so no version before needs the old index, by which the planner would read the calls of all modes.
drop index delivery_due;
