import { IdParams, Uuid } from "@paraph/contract/shared/fields"
import { type AccountSession, isValidIn } from "@paraph/core/account/model"
import {
  beginSecondFactor,
  changePassword,
  confirmSecondFactor,
  endSession,
  mayBeginSecondFactor,
  mustBeFresh,
  removeSecondFactor,
  renewRecoveryCodes,
} from "@paraph/core/account/secure"
import { Refusal } from "@paraph/core/refusal"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../../parts.ts"
import { inFours } from "../../../second-factor.ts"
import { mustHaveLeft } from "../../rate-limits.ts"
import { mayTry, Password } from "./logins.ts"
import { qrCode } from "./qr-code.ts"
import { comingSession, dropSession, findSignedIn, holdSession, mustBeSignedIn } from "./session.ts"

const PasswordBody = Type.Object({ password: Password, current: Type.Optional(Password) })
const CodeBody = Type.Object({ code: Type.String({ pattern: "^\\d{6}$" }) })
const TokenBody = Type.Object({ businessId: Uuid, kind: Type.Enum(["demo", "production"]) })
const TOKEN_SECONDS = 20 * 60

/** What a person sees and changes of their own account. */
export function security(app: FastifyInstance, parts: Parts): void {
  own(app, parts)
  secondFactor(app, parts)
  sessions(app, parts)
  token(app, parts)
}

/** Keeps what this session gives access to: a session by single sign-on is valid in one business. */
export const opensIn =
  (session: AccountSession) =>
  ({ businessId }: { readonly businessId: string }): boolean =>
    isValidIn(session, businessId)

/** `needsFactor`: the business asks for a second factor that this login has not proved, and gives it no token. */
async function businessesOf(parts: Parts, session: AccountSession) {
  const [memberships, wanted] = await Promise.all([
    parts.listMemberships(session.accountId),
    parts.listFactorsWanted(session.id),
  ])
  return memberships
    .filter(opensIn(session))
    .map((one) => (wanted.includes(one.businessId) ? { ...one, needsFactor: true } : one))
}

function own(app: FastifyInstance, parts: Parts): void {
  app.get("/app/api/account", async (request) => {
    const { account, session } = await mustBeSignedIn(parts, request)
    const { email, name, passwordHash, totp, passkeyCount, recoveryCodeCount } = account
    return {
      email,
      name,
      factors: {
        password: passwordHash !== null,
        passkeys: passkeyCount,
        totp: totp !== null && totp.since !== null,
        recoveryCodes: recoveryCodeCount,
      },
      businesses: await businessesOf(parts, session),
      invitations: (await parts.listInvitations(account.id)).filter(opensIn(session)),
      operator: await parts.isOperator(email),
      session: session.id,
      singleSignOn: session.singleSignOn !== null,
    }
  })

  app.get("/app/api/account/events", async (request) => {
    const { account } = await mustBeSignedIn(parts, request)
    return { events: await parts.listAccountEvents(account.id) }
  })

  app.post<{ Body: Type.Static<typeof PasswordBody> }>(
    "/app/api/account/password",
    { bodyLimit: 8192, schema: { body: PasswordBody } },
    async (request, reply) => {
      const signed = await mustBeSignedIn(parts, request)
      // A guess at the current password counts like one at the login.
      await mayTry(parts, request, reply, signed.account.email)
      const coming = comingSession(parts, request)
      await changePassword(parts, signed, request.body, coming.session)
      holdSession(parts, reply, coming)
      return reply.code(204).send()
    },
  )
}

function secondFactor(app: FastifyInstance, parts: Parts): void {
  app.post("/app/api/account/totp", async (request, reply) => {
    const signed = await mustBeSignedIn(parts, request)
    mayBeginSecondFactor(parts, signed)
    mustHaveLeft(reply, await parts.accountLimits.ofApp(signed.account.id))
    const { sealed, base32, uri } = await parts.secondFactor.newSecret(signed.account)
    await beginSecondFactor(parts, signed, sealed)
    return { secret: base32, uri, qr: qrCode(uri) }
  })

  app.post<{ Body: { code: string } }>(
    "/app/api/account/totp/confirm",
    { bodyLimit: 1024, schema: { body: CodeBody } },
    async (request, reply) => {
      const signed = await mustBeSignedIn(parts, request)
      mustBeFresh(parts, signed)
      mustHaveLeft(reply, await parts.accountLimits.ofApp(signed.account.id))
      const codes = parts.secondFactor.newRecoveryCodes()
      const hashes = codes.map(parts.secondFactor.hashRecoveryCode)
      await confirmSecondFactor(parts, signed, request.body.code, hashes)
      return { recoveryCodes: codes.map(inFours) }
    },
  )

  app.delete("/app/api/account/totp", async (request, reply) => {
    await removeSecondFactor(parts, await mustBeSignedIn(parts, request))
    return reply.code(204).send()
  })

  app.post("/app/api/account/recovery-codes", async (request) => {
    const codes = parts.secondFactor.newRecoveryCodes()
    const hashes = codes.map(parts.secondFactor.hashRecoveryCode)
    await renewRecoveryCodes(parts, await mustBeSignedIn(parts, request), hashes)
    return { recoveryCodes: codes.map(inFours) }
  })
}

function sessions(app: FastifyInstance, parts: Parts): void {
  app.get("/app/api/account/sessions", async (request) => {
    const { account, session } = await mustBeSignedIn(parts, request)
    const known = await parts.listAccountSessions(account.id)
    return {
      sessions: known.map(({ id, browser, network, createdAt, seenAt }) => ({
        id,
        browser,
        network,
        createdAt,
        seenAt,
        current: id === session.id,
      })),
    }
  })

  app.delete<{ Params: { id: string } }>(
    "/app/api/account/sessions/:id",
    { schema: { params: IdParams } },
    async (request, reply) => {
      await endSession(parts, await mustBeSignedIn(parts, request), request.params.id)
      return reply.code(204).send()
    },
  )

  app.post("/app/api/account/logout", async (request, reply) => {
    const signed = await findSignedIn(parts, request)
    if (signed !== null) await endSession(parts, signed, signed.session.id)
    dropSession(parts, reply)
    return reply.code(204).send()
  })
}

/** A token of the public interface in the member's own name; it is dead with the login that it came from. */
function token(app: FastifyInstance, parts: Parts): void {
  app.post<{ Body: { businessId: string; kind: "demo" | "production" } }>(
    "/app/api/account/token",
    { bodyLimit: 1024, schema: { body: TokenBody } },
    async (request) => {
      const { session } = await mustBeSignedIn(parts, request)
      const { businessId, kind } = request.body
      const caller = await parts.accounts.findMember(session.id, businessId.toLowerCase(), kind)
      if (caller === null && (await parts.listFactorsWanted(session.id)).includes(businessId.toLowerCase()))
        throw new Refusal(
          "second-factor-needed",
          "This business asks for a second factor. Set up a passkey or an authenticator app, then log in again.",
        )
      if (caller === null || !parts.kinds.some((known) => known === kind))
        throw new Refusal("not-found", "You are no member of such a business.")
      const expiresAt = new Date(parts.now().getTime() + TOKEN_SECONDS * 1000)
      return { token: await parts.tokens.issue(caller, TOKEN_SECONDS), expiresAt }
    },
  )
}
