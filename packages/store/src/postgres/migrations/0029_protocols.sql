-- Signature protocols, as a worker has sealed them (ADR 0053): the newest of each language. They go with their request.

create table request_protocol (
  request_id uuid not null references signature_request on delete cascade,
  business_id uuid not null references business,
  language text not null check (language in ('en', 'de', 'fr', 'it')),
  -- Sealed by the key of the story, so that nothing opens it when that is destroyed; null until it is made.
  pdf bytea,
  -- Up to where it tells the story.
  last_seq integer,
  -- What it has to wait for.
  waiting_for text check (waiting_for in ('keys', 'timestamp', 'revocation')),
  ordered_at timestamptz not null,
  primary key (request_id, language),
  check ((pdf is null) = (last_seq is null))
);
create index on request_protocol (business_id);
