import { Email, TEXT } from "@paraph/contract/shared/fields"
import { logIn, logInBySecondFactor } from "@paraph/core/account/log-in"
import { recover } from "@paraph/core/account/recover"
import { askForCode, register } from "@paraph/core/account/register"
import { LIMITS } from "@paraph/core/limits"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../../parts.ts"
import { networkOf, siteOf } from "../../network.ts"
import { mustHaveLeft } from "../../rate-limits.ts"
import { languageFor } from "../language.ts"
import { askingOf, comingSession, findSignedIn, holdAsking, holdSession } from "./session.ts"

export const Password = Type.String({ minLength: 1, maxLength: 1024, pattern: TEXT })
/** In two groups, as the mail shows it, or as a whole. */
const Code = Type.String({ pattern: "^\\d{4}\\s?\\d{4}$" })
const Second = Type.String({ minLength: 6, maxLength: 40, pattern: "^[\\w\\s-]+$" })
const AskBody = Type.Object({ email: Email })
const RegisterBody = Type.Object({
  email: Email,
  code: Code,
  name: Type.String({ minLength: 1, maxLength: LIMITS.signerNameCharacters, pattern: TEXT }),
  password: Type.Optional(Password),
})
const LoginBody = Type.Object({ email: Email, password: Password })
const SecondBody = Type.Object({ step: Type.String({ maxLength: 100 }), code: Second })
const RecoverBody = Type.Object({
  email: Email,
  code: Code,
  password: Password,
  second: Type.Optional(Second),
})
const SMALL = { bodyLimit: 8192 }

/** How people become somebody here, and come in again. */
export function logins(app: FastifyInstance, parts: Parts): void {
  for (const purpose of ["register", "recover"] as const)
    app.post<{ Body: Type.Static<typeof AskBody> }>(
      `/app/api/account/${purpose}`,
      { ...SMALL, schema: { body: AskBody } },
      async (request, reply) => {
        const { email } = request.body
        await mayGoOn(parts, request, reply, "mails", email)
        const askedBy = holdAsking(parts, reply)
        await askForCode(parts, { purpose, email, askedBy }, languageFor(request, null))
        return reply.code(202).send({})
      },
    )

  app.post<{ Body: Type.Static<typeof RegisterBody> }>(
    "/app/api/account/register/confirm",
    { ...SMALL, schema: { body: RegisterBody } },
    async (request, reply) => {
      await mayTry(parts, request, reply, request.body.email)
      const coming = comingSession(parts, request)
      const { password, ...person } = request.body
      const asked = { askedBy: askingOf(parts, request), code: digitsOf(person.code) }
      const given = { ...person, ...asked, name: person.name.trim() || person.email }
      await register(parts, password === undefined ? given : { ...given, password }, coming.session)
      holdSession(parts, reply, coming)
      return { next: "done" }
    },
  )

  app.post<{ Body: Type.Static<typeof RecoverBody> }>(
    "/app/api/account/recover/confirm",
    { ...SMALL, schema: { body: RecoverBody } },
    async (request, reply) => {
      await mayTry(parts, request, reply, request.body.email)
      const coming = comingSession(parts, request)
      const { code, ...rest } = request.body
      const asked = { askedBy: askingOf(parts, request), code: digitsOf(code) }
      const signed = (await findSignedIn(parts, request))?.session ?? null
      await recover(
        parts,
        { ...rest, ...asked, signed, language: languageFor(request, null) },
        coming.session,
      )
      holdSession(parts, reply, coming)
      return { next: "done" }
    },
  )

  app.post<{ Body: Type.Static<typeof LoginBody> }>(
    "/app/api/account/login",
    { ...SMALL, schema: { body: LoginBody } },
    async (request, reply) => {
      await mayTry(parts, request, reply, request.body.email)
      const coming = comingSession(parts, request)
      const result = await logIn(parts, request.body, coming.session)
      if ("step" in result) return { next: "second-factor", step: result.step }
      holdSession(parts, reply, coming)
      return { next: "done" }
    },
  )

  app.post<{ Body: Type.Static<typeof SecondBody> }>(
    "/app/api/account/login/second",
    { ...SMALL, schema: { body: SecondBody } },
    async (request, reply) => {
      await spendOfNetwork(parts, request, reply)
      const coming = comingSession(parts, request)
      const language = languageFor(request, null)
      await logInBySecondFactor(parts, { ...request.body, language }, coming.session)
      holdSession(parts, reply, coming)
      return { next: "done" }
    },
  )
}

const digitsOf = (code: string): string => code.replace(/\s/g, "")

/** Counted before anything is looked up, whether there is such an account or not. */
export async function mayTry(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
): Promise<void> {
  await mayGoOn(parts, request, reply, "tries", email)
}

/** What one network has used up is not taken from what is left for all. */
async function mayGoOn(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  what: "tries" | "mails",
  email: string,
): Promise<void> {
  await spendOfNetwork(parts, request, reply)
  const account = email.toLowerCase()
  for (const { ofNetwork, inAll } of parts.accountLimits[what]) {
    mustHaveLeft(reply, await ofNetwork(`${siteOf(request.ip)} ${account}`))
    mustHaveLeft(reply, await inAll(account))
  }
}

export async function spendOfNetwork(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { byNetwork, bySite } = parts.accountLimits
  mustHaveLeft(reply, await bySite(siteOf(request.ip)))
  mustHaveLeft(reply, await byNetwork(networkOf(request.ip)))
}
