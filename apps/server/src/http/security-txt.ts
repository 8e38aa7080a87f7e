import type { FastifyInstance } from "fastify"
import type { Parts } from "../parts.ts"

/** RFC 9116, 2.5.5: less than a year is recommended. It is said anew with each answer, so it ends some weeks after the service does. */
const GOOD_FOR_DAYS = 90
const DAY_MS = 86_400_000

/** RFC 9116: whom to tell of a hole (security, R45). Without a contact there is no such file, rather than one that leads nowhere. */
export function securityTxt(
  server: FastifyInstance,
  { publicUrl, securityContacts, now }: Pick<Parts, "publicUrl" | "securityContacts" | "now">,
): void {
  if (securityContacts.length === 0) return
  server.get("/.well-known/security.txt", async (_, reply) => {
    const day = Math.floor(now().getTime() / DAY_MS) + GOOD_FOR_DAYS
    const lines = [
      ...securityContacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${new Date(day * DAY_MS).toISOString()}`,
      "Preferred-Languages: en, de, fr, it",
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ]
    return reply
      .type("text/plain; charset=utf-8")
      .header("cache-control", "public, max-age=3600")
      .send(`${lines.join("\r\n")}\r\n`)
  })
}
