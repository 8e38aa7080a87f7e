-- Which pages of which document a signer's session was served; the evidence of the consent repeats it. Pages are counted from 0.
create table served_page (
  id_hash bytea not null references signer_session on delete cascade,
  document_id uuid not null,
  page_count integer not null check (page_count > 0),
  pages int4multirange not null,
  primary key (id_hash, document_id)
);
