-- Which pepper a hash was made with (ADR 0096). Null: the pepper that was in use before this migration.
alter table api_key add column pepper_id text;
alter table account_recovery_code add column pepper_id text;
