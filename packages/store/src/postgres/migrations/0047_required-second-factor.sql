-- Second factors that a business requires of its members (ADR 0098).
alter table business add column member_second_factor text not null default 'OPTIONAL'
  check (member_second_factor in ('OPTIONAL', 'REQUIRED', 'REQUIRED_OR_PROVIDER'));
-- The provider of the business stated that the person proved a second factor there.
alter table account_session add column provider_factor boolean not null default false;
