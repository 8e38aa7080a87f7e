import { createHash, randomBytes, randomUUID } from "node:crypto"
import { API, person } from "./account.ts"
import { type Api, withToken } from "./api.ts"
import type { Service } from "./service.ts"

/** By a token; `cookie` is the person's session in the browser. */
export type MemberApi = Api & {
  readonly email: string
  readonly cookie: string
  readonly accountId: string
}

/**
 * Somebody who has registered, is in the business in that role, and calls the interface as a person. The rows are written by hand:
 * how people register is shown elsewhere, and takes its time.
 */
export async function memberApi(
  service: Service,
  role: "owner" | "admin" | "developer" | "member",
  {
    email = `${role}-${randomUUID()}@example.org`,
    business = service.business,
    kind = "demo",
  }: { email?: string; business?: string; kind?: "demo" | "production" } = {},
): Promise<MemberApi> {
  const secret = randomBytes(32).toString("base64url")
  const accountId = await insertMember(service, { email, business, role, secret })
  const who = person(service.url)
  who.cookies.set("paraph-account", secret)
  const { body } = await who.post(`${API}/token`, { businessId: business, kind })
  return { email, accountId, cookie: `paraph-account=${secret}`, ...withToken(service.url, body.token) }
}

async function insertMember(
  service: Service,
  { email, business, role, secret }: { email: string; business: string; role: string; secret: string },
): Promise<string> {
  const id = randomUUID()
  const hash = createHash("sha256").update(secret).digest("hex")
  await service.sql(`
    insert into account (id, email, name, created_at) values ('${id}', '${email}', 'Ada Lovelace', now());
    insert into account_credentials (account_id, password_hash, password_at) values ('${id}', '$argon2id$none', now());
    insert into membership (business_id, account_id, role, created_at, accepted_at)
      values ('${business}', '${id}', '${role}', now(), now());
    insert into api_user (id, business_id, username, created_at, account_id)
      values (gen_random_uuid(), '${business}', '${email}', now(), '${id}');
    insert into account_session (id, id_hash, account_id, created_at, seen_at, browser, network)
      values (gen_random_uuid(), '\\x${hash}', '${id}', now(), now(), 'Firefox', '127.0.0.0/24')`)
  return id
}
