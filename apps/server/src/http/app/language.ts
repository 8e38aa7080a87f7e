import { LANGUAGES, type Language } from "@paraph/core/language"
import { languageOf } from "@paraph/core/signature-request/exits"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { findSigner } from "./session.ts"

/** As with a session: browsers bind a name with `__Host-` to this very host, and take it over https only. */
const COOKIES = ["__Host-paraph-language", "paraph-language"] as const
const YEAR_SECONDS = 31_536_000

/**
 * URL-04: what the address asked for, what the person chose here before, what the integrator said of the signer, what the
 * browser says. A signer whose language nobody named is written to in English, so that one says nothing (choice 13, 212).
 */
export function languageFor(
  request: FastifyRequest,
  asked: Language | null,
  signer: Language | null = null,
): Language {
  return (
    asked ??
    languageOf(COOKIES.map((name) => request.cookies[name]).find((kept) => kept !== undefined) ?? null) ??
    (signer === "en" ? null : signer) ??
    accepted(request.headers["accept-language"]) ??
    "en"
  )
}

/** RFC 9110, 12.5.4: the first of ours in the order of their weights. */
export function accepted(header: string | undefined): Language | null {
  const ranges = (header ?? "").slice(0, 1000).split(",", 20)
  const weighed = ranges.map((range, index) => {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim())
    const weight = parameters.find((each) => /^q=/i.test(each))?.slice(2)
    return { language: languageOf(tag), weight: weight === undefined ? 1 : Number(weight), index }
  })
  const known = weighed.filter(({ language, weight }) => language !== null && weight > 0)
  known.sort((one, other) => other.weight - one.weight || one.index - other.index)
  return known[0]?.language ?? null
}

const Body = Type.Object({ language: Type.Enum([...LANGUAGES]) })

/** The switch on our pages; it is remembered for the next time. */
export function language(app: FastifyInstance, parts: Parts): void {
  app.post<{ Body: { language: Language } }>(
    "/app/api/language",
    { bodyLimit: 1024, schema: { body: Body } },
    async (request, reply) => {
      const chosen = request.body.language
      const signer = await findSigner(parts, request)
      if (signer !== null) await parts.chooseLanguage(signer.idHash, chosen)
      return keep(parts, reply, chosen).code(204).send()
    },
  )
}

const isHttps = (parts: Parts): boolean => parts.publicUrl.startsWith("https:")

const keep = (parts: Parts, reply: FastifyReply, chosen: Language) =>
  reply.setCookie(isHttps(parts) ? COOKIES[0] : COOKIES[1], chosen, {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    maxAge: YEAR_SECONDS,
    secure: isHttps(parts),
  })
