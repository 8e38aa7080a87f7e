import type { Service } from "./service.ts"

/**
 * Intents go with the signatures that they were for. From now on this service's database also notes each of them, as it was last:
 * so a test sees afterwards what was prepared, and whether a key was used for it.
 */
export async function noteIntents({ sql }: Pick<Service, "sql">): Promise<void> {
  await sql(`
    create table noted_intent (
      signature_id uuid, document_id uuid, base_id uuid, has_value boolean not null,
      primary key (signature_id, document_id, base_id));
    create function note_intent() returns trigger language plpgsql security definer as $$
    begin
      insert into noted_intent values (new.signature_id, new.document_id, new.base_id, new.value is not null)
        on conflict (signature_id, document_id, base_id) do update set has_value = excluded.has_value;
      return null;
    end $$;
    create trigger note_intent after insert or update on signing_intent for each row execute function note_intent()`)
}

/** How many were prepared for a request, and for how many of them there is a value: "1|1". */
export const intentsNoted = ({ sql }: Pick<Service, "sql">, requestId: string): Promise<string> =>
  sql(`select count(*), count(*) filter (where has_value) from noted_intent
        where signature_id in (select id from signature where request_id = '${requestId}')`)
