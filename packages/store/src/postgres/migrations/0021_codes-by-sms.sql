-- Codes by SMS (ADR 0042): by which way a message went, and the codes that release a signature.

-- A code that releases the signer's own key, as the second factor of an advanced signature. The same as signer_code, which proves a
-- mailbox or a telephone; apart from it, since each has one code for a signature at a time.
create table release_code (
  signature_id uuid primary key references signature on delete cascade,
  session_hash bytea not null,
  -- What it releases, such as a hash over the hashes that are to be signed.
  binding text not null check (binding <> ''),
  number integer not null,
  code_hash bytea,
  asked_at timestamptz not null,
  attempts_left integer not null check (attempts_left >= 0),
  asked timestamptz[] not null,
  wrong integer not null check (wrong >= 0)
);

alter table mail_log add column channel text not null default 'mail' check (channel in ('mail', 'sms'));
alter table captured_mail add column channel text not null default 'mail' check (channel in ('mail', 'sms'));
