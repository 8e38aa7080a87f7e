import { TEXT } from "@paraph/contract/shared/fields"
import { logInByPasskey } from "@paraph/core/account/log-in"
import type { Passkey } from "@paraph/core/account/model"
import { addPasskey, mustBeFresh, removePasskey, type Signed } from "@paraph/core/account/secure"
import { Refusal } from "@paraph/core/refusal"
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server"
import type { FastifyInstance } from "fastify"
import { Type } from "typebox"
import type { Parts } from "../../../parts.ts"
import { inFours } from "../../../second-factor.ts"
import { spendOfNetwork } from "./logins.ts"
import { comingSession, holdSession, mustBeSignedIn } from "./session.ts"

/** 27 MB that a process in which nobody uses a passkey does not need. */
const webauthn = () => import("@simplewebauthn/server")
const webauthnHelpers = () => import("@simplewebauthn/server/helpers")

const AnswerBody = Type.Object({
  step: Type.String({ maxLength: 100 }),
  // What an authenticator says is read by those who know it, below.
  response: Type.Object({ id: Type.String({ maxLength: 2000, pattern: "^[\\w-]+$" }) }),
})
const NewBody = Type.Object({
  ...AnswerBody.properties,
  name: Type.String({ maxLength: 100, pattern: TEXT }),
})
type Answer<T> = { step: string; response: T }
const BODY = { bodyLimit: 65_536 }

/** WebAuthn: the authenticator asks who the person is each time, and knows the account by itself. */
export function passkeys(app: FastifyInstance, parts: Parts): void {
  const { hostname: rpID, origin } = new URL(parts.publicUrl)
  loginByPasskey(app, parts, rpID, origin)
  ownPasskeys(app, parts, rpID, origin)
}

function loginByPasskey(app: FastifyInstance, parts: Parts, rpID: string, origin: string): void {
  app.post("/app/api/account/login/passkey/options", async (request, reply) => {
    // Each is a row.
    await spendOfNetwork(parts, request, reply)
    // No list of credentials: nobody learns by an address whether it has any.
    const { generateAuthenticationOptions } = await webauthn()
    const options = await generateAuthenticationOptions({ rpID, userVerification: "required" })
    const asked = { purpose: "passkey-login", accountId: null, challenge: options.challenge } as const
    return { step: await parts.accounts.insertStep(asked), options }
  })

  app.post<{ Body: Answer<AuthenticationResponseJSON> }>(
    "/app/api/account/login/passkey/verify",
    { ...BODY, schema: { body: AnswerBody } },
    async (request, reply) => {
      await spendOfNetwork(parts, request, reply)
      const { step, response } = request.body
      // Taken before it is looked at: what was asked once is answered once.
      const asked = await parts.accounts.takeStep(step, "passkey-login")
      const passkey = await parts.accounts.findPasskey(response.id)
      if (asked?.challenge == null || passkey === null) throw unproved()
      const { verifyAuthenticationResponse } = await webauthn()
      const proved = await verifyAuthenticationResponse({
        response,
        expectedChallenge: asked.challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
        credential: asCredential(passkey),
      }).catch(() => null)
      if (!proved?.verified) throw unproved()
      const coming = comingSession(parts, request)
      const { accountId, id: passkeyId, heldUntil } = passkey
      const counter = proved.authenticationInfo.newCounter
      await logInByPasskey(parts, { accountId, passkeyId, counter, heldUntil }, coming.session)
      holdSession(parts, reply, coming)
      return { next: "done" }
    },
  )
}

function ownPasskeys(app: FastifyInstance, parts: Parts, rpID: string, origin: string): void {
  app.get("/app/api/account/passkeys", async (request) => {
    const { account } = await mustBeSignedIn(parts, request)
    const known = await parts.listPasskeys(account.id)
    return { passkeys: known.map(({ id, name, createdAt, usedAt }) => ({ id, name, createdAt, usedAt })) }
  })

  app.post("/app/api/account/passkeys/options", async (request) => {
    const signed = await mustBeSignedIn(parts, request)
    mustBeFresh(parts, signed)
    const { id, email, name } = signed.account
    const known = await parts.listPasskeys(id)
    const { generateRegistrationOptions } = await webauthn()
    const options = await generateRegistrationOptions({
      rpName: "Paraph",
      rpID,
      userName: email,
      userDisplayName: name,
      userID: new TextEncoder().encode(id),
      attestationType: "none",
      excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    })
    const asked = { purpose: "passkey-new", accountId: id, challenge: options.challenge } as const
    return { step: await parts.accounts.insertStep(asked), options }
  })

  app.post<{ Body: Answer<RegistrationResponseJSON> & { name: string } }>(
    "/app/api/account/passkeys",
    { ...BODY, schema: { body: NewBody } },
    async (request, reply) => {
      const signed = await mustBeSignedIn(parts, request)
      const passkey = await proveNew(parts, signed, request.body, { rpID, origin })
      const codes = parts.secondFactor.newRecoveryCodes()
      const isFirst = await addPasskey(parts, signed, passkey, codes.map(parts.secondFactor.hashRecoveryCode))
      return reply.code(201).send({ id: passkey.id, recoveryCodes: isFirst ? codes.map(inFours) : [] })
    },
  )

  app.delete<{ Params: { id: string } }>("/app/api/account/passkeys/:id", async (request, reply) => {
    await removePasskey(parts, await mustBeSignedIn(parts, request), request.params.id)
    return reply.code(204).send()
  })
}

async function proveNew(
  parts: Parts,
  { account, session }: Signed,
  { step, response, name }: Answer<RegistrationResponseJSON> & { name: string },
  { rpID, origin }: { readonly rpID: string; readonly origin: string },
): Promise<Omit<Passkey, "heldUntil">> {
  const asked = await parts.accounts.takeStep(step, "passkey-new")
  if (asked?.challenge == null || asked.accountId !== account.id || (await hasCertificates(response)))
    throw unproved()
  const { verifyRegistrationResponse } = await webauthn()
  const proved = await verifyRegistrationResponse({
    response,
    expectedChallenge: asked.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => null)
  if (!proved?.verified) throw unproved()
  const { credential } = proved.registrationInfo
  if ((await parts.accounts.findPasskey(credential.id)) !== null) throw unproved()
  return {
    id: credential.id,
    accountId: account.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports: credential.transports ?? [],
    name: name.trim() || session.browser || "Passkey",
    createdAt: parts.now(),
    usedAt: null,
  }
}

/**
 * We ask for no attestation, so a browser sends none. The library would fetch the revocation lists that certificates in one
 * name: addresses of a stranger's choice, from inside our network.
 */
async function hasCertificates({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await webauthnHelpers()
  try {
    const read = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
    return !["none", "packed"].includes(read.get("fmt")) || read.get("attStmt").get("x5c") !== undefined
  } catch {
    return true
  }
}

export const asCredential = ({ id, publicKey, counter, transports }: Passkey) => ({
  id,
  publicKey: new Uint8Array(publicKey),
  counter,
  transports: [...transports],
})

const unproved = () => new Refusal("credentials-invalid", "The passkey could not be proved.")
