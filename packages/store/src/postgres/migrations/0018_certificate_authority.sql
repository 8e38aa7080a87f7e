-- An authority of our own (ADR 0038): who issues, what was issued, and what is said about it to whoever asks.

-- Roots and issuing authorities, those who answer for them (OCSP), and the service's own certificates. Their keys lie in the token
-- of their kind, under the label.
create table authority (
  id uuid primary key,
  kind text not null check (kind in ('demo', 'production')),
  role text not null check (role in ('root', 'issuing', 'responder', 'service')),
  generation integer not null check (generation > 0),
  -- Null for a root, and for one whose certificate somebody else issues.
  issuer_id uuid,
  key_label text not null,
  -- On record before the key is made; a certificate of somebody else's may take weeks.
  state text not null check (state in ('making', 'requested', 'active', 'revoked')),
  certificate bytea,
  -- Issuers that are not ours, the nearest first.
  chain bytea[] not null,
  not_before timestamptz,
  not_after timestamptz,
  created_at timestamptz not null,
  check ((state in ('active', 'revoked')) = (certificate is not null)),
  check ((certificate is null) = (not_before is null) and (certificate is null) = (not_after is null)),
  unique (id, kind),
  unique (kind, role, generation),
  -- Demo and production never stand for each other.
  foreign key (issuer_id, kind) references authority (id, kind)
);
create index on authority (issuer_id);

-- Each certificate, from before its issuer's key was used for it. The name of its holder is in the certificate alone.
create table issued_certificate (
  issuer_id uuid not null,
  -- 128 random bits.
  serial bytea not null check (length(serial) = 16),
  kind text not null,
  -- The signature or seal that it is for, or the authority.
  order_id text not null,
  -- Of all that was ordered: the same order has to be the same.
  order_hash bytea not null,
  not_before timestamptz not null,
  not_after timestamptz not null,
  certificate bytea,
  revoked_at timestamptz,
  reason text,
  -- Signed beforehand, since those who answer the world hold no key (RFC 5019).
  answer bytea,
  answered_at timestamptz,
  answer_until timestamptz,
  -- When somebody has to sign the next one; null where none is needed any more.
  answer_due_at timestamptz,
  created_at timestamptz not null,
  primary key (issuer_id, serial),
  unique (kind, order_id),
  check ((revoked_at is null) = (reason is null)),
  check ((answer is null) = (answered_at is null) and (answer is null) = (answer_until is null)),
  foreign key (issuer_id, kind) references authority (id, kind)
);
create index on issued_certificate (answer_due_at) where answer_due_at is not null;
create index on issued_certificate (issuer_id) where revoked_at is not null;

-- What was issued is never another certificate, and what was revoked stays revoked.
create function an_issued_certificate_stays() returns trigger language plpgsql as $$
begin
  if old.serial <> new.serial or old.order_id <> new.order_id or old.order_hash <> new.order_hash
     or (old.certificate is not null and new.certificate is distinct from old.certificate)
     or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) then
    raise exception 'an issued certificate stays what it is';
  end if;
  return new;
end $$;
create trigger an_issued_certificate_stays before update on issued_certificate
  for each row execute function an_issued_certificate_stays();

create table revocation_list (
  authority_id uuid primary key references authority,
  number integer not null check (number > 0),
  list bytea not null,
  issued_at timestamptz not null,
  until timestamptz not null,
  -- Sooner than it must, so that one who cannot sign is noticed before the world has nothing; at once after a revocation.
  due_at timestamptz not null
);

-- Certificates that somebody else issues, by EST. What is asked is on record first, and the same is asked again: a request costs money.
create table certificate_request (
  kind text not null check (kind in ('demo', 'production')),
  order_id text not null,
  order_hash bytea not null,
  -- PKCS#10.
  request bytea not null,
  -- Not before; also while somebody is asking just now.
  ask_at timestamptz not null,
  certificate bytea,
  chain bytea[] not null,
  created_at timestamptz not null,
  primary key (kind, order_id)
);
