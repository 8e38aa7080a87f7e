-- An operator asks that the factors of a person are reset, and another one confirms it (ADR 0098).
create table factor_reset (
  account_id uuid primary key references account on delete cascade,
  asked_by text not null,
  reason text not null,
  asked_at timestamptz not null
);
