-- Names of readers are compared without regard to case: the tables that are searched by them hold the lower-case form.
delete from request_reader r using request_reader other
 where r.username <> lower(r.username) and other.request_id = r.request_id and other.business_id = r.business_id
   and other.kind = r.kind and other.created_at = r.created_at and other.ctid > r.ctid
   and lower(other.username) = lower(r.username);
delete from request_reader r using request_reader other
 where r.username <> lower(r.username) and other.request_id = r.request_id and other.business_id = r.business_id
   and other.kind = r.kind and other.created_at = r.created_at and other.username = lower(r.username);
update request_reader set username = lower(username) where username <> lower(username);

delete from document_reader r using document_reader other
 where r.username <> lower(r.username) and other.document_id = r.document_id and other.business_id = r.business_id
   and other.kind = r.kind and other.created_at = r.created_at and other.ctid > r.ctid
   and lower(other.username) = lower(r.username);
delete from document_reader r using document_reader other
 where r.username <> lower(r.username) and other.document_id = r.document_id and other.business_id = r.business_id
   and other.kind = r.kind and other.created_at = r.created_at and other.username = lower(r.username);
update document_reader set username = lower(username) where username <> lower(username);

update event set readers = (select array_agg(distinct lower(reader)) from unnest(readers) as reader)
 where exists (select from unnest(readers) as reader where reader <> lower(reader));
update delivery set readers = (select array_agg(distinct lower(reader)) from unnest(readers) as reader)
 where exists (select from unnest(readers) as reader where reader <> lower(reader));
