-- Answers that a clock signed which has been put back since are looked for with each sweep.
create index on issued_certificate (answered_at) where answered_at is not null;
