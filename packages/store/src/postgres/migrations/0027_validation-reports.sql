-- Reports of validations for people, as a worker has sealed them (ADR 0051). They go with their validation.

create table validation_report (
  validation_id uuid not null references validation on delete cascade,
  business_id uuid not null references business,
  language text not null check (language in ('en', 'de', 'fr', 'it')),
  -- Sealed by the key of the business, as the result is; null until it is made.
  pdf bytea,
  key_version integer,
  -- What it has to wait for.
  waiting_for text check (waiting_for in ('keys', 'timestamp', 'revocation')),
  ordered_at timestamptz not null,
  primary key (validation_id, language),
  check ((pdf is null) = (key_version is null))
);
create index on validation_report (business_id);

-- Reports are sealed with a key of their own, whose certificate the built-in authority makes like that of the service.
alter table authority drop constraint authority_role_check;
alter table authority add constraint authority_role_check
  check (role in ('root', 'issuing', 'responder', 'service', 'report'));
