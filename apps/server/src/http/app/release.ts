import { Refusal } from "@paraph/core/refusal"
import { leaveTurn } from "@paraph/core/release/leave"
import { askForSms, offeredTo, passByCode, passByPasskey, passBySms } from "@paraph/core/release/pass"
import type { AuthenticationResponseJSON } from "@simplewebauthn/server"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../parts.ts"
import { siteOf } from "../network.ts"
import { spendOfNetwork } from "./account/logins.ts"
import { asCredential } from "./account/passkeys.ts"
import { comingSession } from "./account/session.ts"
import { languageFor } from "./language.ts"
import { mustMayAct } from "./session.ts"
import { writeView } from "./view.ts"

const webauthn = () => import("@simplewebauthn/server")

const Binding = Type.String({ pattern: "^[0-9a-f]{64}$" })
const PasskeyBody = Type.Object({
  // What an authenticator says is read by those who know it, below.
  response: Type.Object({ id: Type.String({ maxLength: 2000, pattern: "^[\\w-]+$" }) }),
})
/** Spaces, as an app shows it. */
const CodeBody = Type.Object({
  binding: Binding,
  code: Type.String({ maxLength: 20, pattern: "^\\s*(\\d\\s*){6}$" }),
})

/** The signer's own key is released by a factor that is bound to this signature and these documents (ADR 0041). */
export function release(app: FastifyInstance, parts: Parts): void {
  const { hostname: rpID, origin } = new URL(parts.publicUrl)

  app.post("/app/api/signature/release/passkey/options", { bodyLimit: 1024 }, async (request) => {
    const { account, binding } = await offeredTo(parts, await mayRelease(parts, request))
    const known = account === null ? [] : await parts.listPasskeys(account.id)
    const { generateAuthenticationOptions } = await webauthn()
    return generateAuthenticationOptions({
      rpID,
      userVerification: "required",
      challenge: challengeOf(binding),
      allowCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    })
  })

  app.post<{ Body: { response: AuthenticationResponseJSON } }>(
    "/app/api/signature/release/passkey",
    { bodyLimit: 65_536, schema: { body: PasskeyBody } },
    async (request, reply) => {
      const signer = await mayRelease(parts, request)
      const offered = await offeredTo(parts, signer)
      const { response } = request.body
      const passkey = await parts.accounts.findPasskey(response.id)
      if (passkey === null) throw unproved()
      const { verifyAuthenticationResponse } = await webauthn()
      // The challenge is the binding: what was confirmed for another document, signature or time is no answer to it.
      const proved = await verifyAuthenticationResponse({
        response,
        expectedChallenge: Buffer.from(challengeOf(offered.binding)).toString("base64url"),
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
        credential: asCredential(passkey),
      }).catch(() => null)
      if (!proved?.verified) throw unproved()
      const { accountId, id: passkeyId, heldUntil } = passkey
      const counter = proved.authenticationInfo.newCounter
      await passByPasskey(parts, signer, offered, { accountId, passkeyId, counter, heldUntil })
      return reply.code(202).send(await writeView(parts, request, signer))
    },
  )

  app.post<{ Body: Type.Static<typeof CodeBody> }>(
    "/app/api/signature/release/code",
    { bodyLimit: 1024, schema: { body: CodeBody } },
    async (request, reply) => byCode(parts, request, reply),
  )

  app.post("/app/api/signature/release/sms", { bodyLimit: 1024 }, async (request, reply) => {
    const signer = await mayRelease(parts, request)
    await askForSms(parts, signer, await offeredTo(parts, signer), siteOf(request.ip))
    return reply.code(202).send(await writeView(parts, request, signer))
  })

  app.post<{ Body: Type.Static<typeof CodeBody> }>(
    "/app/api/signature/release/sms/check",
    { bodyLimit: 1024, schema: { body: CodeBody } },
    async (request, reply) => {
      const signer = await mayRelease(parts, request)
      const code = request.body.code.replaceAll(/\D/g, "")
      await passBySms(parts, signer, await offeredTo(parts, signer), { ...request.body, code })
      return reply.code(202).send(await writeView(parts, request, signer))
    },
  )

  app.post("/app/api/signature/release/leave", { bodyLimit: 1024 }, async (request) => {
    const signer = await mayRelease(parts, request)
    await leaveTurn(parts, signer)
    return writeView(parts, request, signer)
  })
}

async function byCode(
  parts: Parts,
  request: FastifyRequest<{ Body: Type.Static<typeof CodeBody> }>,
  reply: FastifyReply,
) {
  const signer = await mayRelease(parts, request)
  await spendOfNetwork(parts, request, reply)
  const { binding, code } = request.body
  await passByCode(parts, signer, await offeredTo(parts, signer), {
    binding,
    code: code.replaceAll(/\s/g, ""),
    language: languageFor(request, signer.arrival.language, "en"),
    session: comingSession(parts, request).session,
  })
  return reply.code(202).send(await writeView(parts, request, signer))
}

async function mayRelease(parts: Parts, request: FastifyRequest) {
  return mustMayAct(parts, request)
}

const challengeOf = (binding: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(binding, "hex"))

const unproved = () => new Refusal("credentials-invalid", "The passkey could not be proved.")
