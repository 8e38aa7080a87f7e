-- A time-stamp over a signature's value may cost money: it is kept before the PDF is finished (ADR 0040).
alter table signing_intent add column stamp bytea;

-- What keeps a signature that was agreed to from being made: seen by whoever waits for it.
alter table signature add column waiting_for text check (waiting_for in ('keys', 'timestamp', 'revocation'));

-- When the time-stamp over the newest version has to be renewed; the domain row is the only truth about time.
alter table request_document add column renew_at timestamptz;
create index request_document_renew on request_document (renew_at) where renew_at is not null;
