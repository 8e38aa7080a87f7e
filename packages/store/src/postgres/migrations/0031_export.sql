-- The order of an export (ADR 0055): all of a business, the oldest first. Receipts have theirs already.
create index on signature_request (business_id, kind, created_at, id);
create index on document (business_id, kind, created_at, id);

-- By which the answers about batches are found that have the title of a document in them.
create index on sealing (base_id) where batch_id is not null;
