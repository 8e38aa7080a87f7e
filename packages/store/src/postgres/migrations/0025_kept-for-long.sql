-- What lasts longer than what it was made with: answers of a clock that was put back, and the time-stamps over sealed documents.

-- Answers that a clock signed which has been put back since are looked for with each sweep.
create index on issued_certificate (answered_at) where answered_at is not null;

-- Sealed documents and their renewed versions (ADR 0043); the orders themselves are forgotten after a while.
create table sealed_document (
  document_id uuid primary key references document on delete cascade,
  business_id uuid not null references business,
  kind text not null,
  seal_id uuid not null,
  -- The order, by which the seal's field in the PDF is named.
  sealing_id uuid not null,
  -- The one that the order answered: whoever deletes it deletes what the service made of it by itself.
  first_id uuid not null,
  -- When its time-stamp has to be renewed; null where a later version has taken its place.
  renew_at timestamptz,
  foreign key (seal_id, business_id, kind) references seal (id, business_id, kind)
);
create index on sealed_document (renew_at) where renew_at is not null;
create index on sealed_document (first_id);
