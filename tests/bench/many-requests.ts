import type { Api } from "../service/api.ts"
import { uploadTo } from "../service/requests.ts"
import type { Service } from "../service/service.ts"
import { median } from "./harness/figure.ts"

/** Who is asked by one request in a thousand, and who by half of them. */
export const SELDOM = "seldom@example.org"
export const OFTEN = "often@example.org"
/** In the title of one request in a hundred thousand. */
export const WORD = "needle"

/**
 * So many requests of the caller, a second apart, all of one document; written into the tables at once, as the service
 * itself would have, one by one, in hours. One in ten was withdrawn, one in ten thousand declined.
 */
export async function seedRequests(service: Service, count: number): Promise<void> {
  const document = await uploadTo(service.caller, "v2")
  const { sql, business, username } = service
  const number = `generate_series(1, ${count}) as n`
  const id = (of: string) => `md5('${of}' || n)::uuid`
  const at = `timestamptz '2025-01-01 00:00:00Z' + n * interval '1 second'`
  const status = `case when n % 10000 = 7 then 'DECLINED' when n % 10 = 3 then 'WITHDRAWN' else 'OPEN' end`
  await sql(`
    begin;
    -- Rows that belong together by the way they are made need not be looked up nine million times.
    create temp table kept on commit drop as
      select conrelid::regclass as owner, conname as name, pg_get_constraintdef(oid) as said from pg_constraint
       where contype = 'f' and conrelid::regclass::text in
             ('signature_request', 'request_document', 'signature', 'mark', 'request_reader');
    do 'declare k record; begin for k in select * from kept loop
          execute format(''alter table %s drop constraint %I'', k.owner, k.name); end loop; end';
    set local synchronous_commit = off;
    insert into signature_request (id, business_id, kind, owner_id, title, lifecycle, status, inviting, quality,
                                   read_access, write_access, cc_email_addresses, created_at, updated_at)
      select ${id("request")}, '${business}', 'demo', (select id from api_user where username = '${username}'),
             case when n % 100000 = 99 then 'The ${WORD} ' || n else 'Contract ' || n end,
             case when n % 10 = 3 then 'withdrawn' else 'started' end, ${status}, 'in-order', 'SES',
             '{}', '{}', '{}', ${at}, ${at}
        from ${number};
    insert into request_document (request_id, position, document_id, newest_id, name)
      select ${id("request")}, 0, '${document}', '${document}', 'Contract' from ${number};
    insert into signature (id, request_id, position, email, place, language, state, notify, restricted)
      select ${id("signature")}, ${id("request")}, 0,
             case when n % 1000 = 5 then '${SELDOM}' when n % 2 = 0 then '${OFTEN}' else 'signer' || n || '@example.org' end,
             1, 'en', case when n % 10000 = 7 then 'declined' else 'open' end, true, false
        from ${number};
    insert into mark (signature_id, document_id) select ${id("signature")}, '${document}' from ${number};
    insert into request_reader (business_id, kind, username, created_at, request_id, status)
      select '${business}', 'demo', '${username}', ${at}, ${id("request")}, ${status} from ${number};
    do 'declare k record; begin for k in select * from kept loop
          execute format(''alter table %s add constraint %I %s not valid'', k.owner, k.name, k.said); end loop; end';
    commit;`)
  await sql("analyze")
}

export type Pages = { readonly first: string; readonly deep: string }

/** The first page of a list, and the page that its Link headers lead to after so many more. */
export async function pagesOf(
  { sql, business, username }: Pick<Service, "sql" | "business" | "username">,
  filter: { readonly query: string; readonly where: string },
  pageSize: number,
  page: number,
): Promise<Pages> {
  const first = `/v2/signature-requests?page_size=${pageSize}${filter.query}`
  // What the Link of the page before says: the last one there.
  const last = await sql(`
    select (extract(epoch from created_at) * 1000)::bigint || ' ' || request_id from request_reader r
     where business_id = '${business}' and kind = 'demo' and username = '${username}' and ${filter.where}
     order by created_at desc, request_id desc offset ${(page - 1) * pageSize - 1} limit 1`)
  if (last === "") throw new Error("There are not so many pages.")
  const cursor = Buffer.from(`after ${last}`).toString("base64url")
  return { first, deep: `${first}&cursor=${cursor}` }
}

export type Measured = { readonly firstMs: number; readonly deepMs: number }

/** The medians of so many calls of each, in turn. */
export async function measure(api: Api, { first, deep }: Pages, calls: number): Promise<Measured> {
  const ms = { first: [] as number[], deep: [] as number[] }
  const ask = async (path: string, into: number[]) => {
    const started = performance.now()
    const { status, body } = await api.get(path)
    into.push(performance.now() - started)
    if (status !== 200 || body.length === 0) throw new Error(`${path} answered ${status}, ${body?.length}.`)
  }
  for (let n = 0; n < calls + 2; n += 1) {
    await ask(first, ms.first)
    await ask(deep, ms.deep)
  }
  return { firstMs: median(ms.first.slice(2)), deepMs: median(ms.deep.slice(2)) }
}
