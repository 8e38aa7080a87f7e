import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { languageOf } from "@paraph/core/signature-request/exits"
import type { FastifyInstance } from "fastify"
import { BUILT } from "../built-files.ts"
import { languageFor } from "../language.ts"

const PAGES = ["login", "register", "recover", "security", "wrong"] as const

/** One built page for all of them; the address says which is shown. */
export function pages(app: FastifyInstance): void {
  for (const page of PAGES)
    app.get<{ Querystring: { lang?: unknown; next?: unknown } }>(
      `/account/${page}`,
      async (request, reply) => {
        const built = await readFile(join(BUILT, "account.html"), "utf8")
        const language = languageFor(request, askedIn(request.query))
        return reply
          .type("text/html; charset=utf-8")
          .header("cache-control", "no-store")
          .header("x-robots-tag", "noindex")
          .send(built.replace('<html lang="en">', `<html lang="${language}">`))
      },
    )
  app.get("/account", async (_, reply) => reply.redirect("/account/security", 303))
}

/** URL-04, also through the login: the document behind it was asked for in a language. */
function askedIn({ lang, next }: { readonly lang?: unknown; readonly next?: unknown }) {
  const behind = typeof next === "string" ? new URLSearchParams(next.split("?")[1] ?? "").get("lang") : null
  const asked = typeof lang === "string" ? lang : behind
  return asked === null ? null : languageOf(asked)
}
