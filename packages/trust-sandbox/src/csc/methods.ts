// The methods of CSC API 2.0, 11, as far as a service like ours needs them.

import { randomBytes } from "node:crypto"
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import type { Bearer } from "./authorization.ts"
import type { Credentials, SandboxCredential } from "./credentials.ts"
import type { CscMisbehaviour } from "./misbehaviour.ts"
import { refusal } from "./refusal.ts"
import type { Released, Releases } from "./releases.ts"

export type Json = Readonly<Record<string, unknown>>
export type Said = { readonly status: number; readonly body: Json | null }
export type Method = (asked: Json, bearer: Bearer) => Promise<Said>

/** What the key of a credential has signed, in its order. */
export type MadeSignature = { readonly login: string; readonly credentialId: string; readonly hash: string }

export type MethodSettings = {
  readonly credentials: Credentials
  readonly releases: Releases
  readonly algorithm: SignatureAlgorithm
  readonly mode: "oauth2code" | "explicit"
  readonly multisign: number
  readonly listsDetails: boolean
  readonly misbehaviour: () => CscMisbehaviour
  readonly note: (made: MadeSignature) => void
}

/** What a person of the sandbox knows. */
export const SANDBOX_FACTORS = { PIN: "12345678", OTP: "123456" } as const
const MAX_WRONG = 3

const SIGN_ALGOS: Partial<Record<SignatureAlgorithm, readonly string[]>> = {
  "ecdsa-sha256": ["1.2.840.10045.4.3.2"],
  "ecdsa-sha384": ["1.2.840.10045.4.3.3"],
  "rsa-sha256": ["1.2.840.113549.1.1.1", "1.2.840.113549.1.1.11"],
  "rsa-pss-sha256": ["1.2.840.113549.1.1.10"],
}

const ok = (body: Json, status = 200): Said => ({ status, body })

export function createMethods(settings: MethodSettings): Readonly<Record<string, Method>> {
  const own = ({ login }: Bearer) => settings.credentials.of(login, settings.misbehaviour().certificate)
  const named = async ({ credentialID }: Json, bearer: Bearer) => {
    const credential = await own(bearer)
    if (typeof credentialID !== "string")
      throw refusal("Missing (or invalid type) string parameter credentialID")
    if (credentialID !== credential.id) throw refusal("Invalid parameter credentialID")
    return credential
  }
  return {
    "credentials/list": async (asked, bearer) => {
      const credential = await own(bearer)
      const withDetails = asked.credentialInfo === true && settings.listsDetails
      const infos = [{ credentialID: credential.id, ...describe(settings, credential) }]
      return ok({ credentialIDs: [credential.id], ...(withDetails && { credentialInfos: infos }) })
    },
    "credentials/info": async (asked, bearer) => ok(describe(settings, await named(asked, bearer))),
    ...explicitRelease(settings, named),
    ...signing(settings, named),
  }
}

function describe(
  { algorithm, mode, multisign, misbehaviour }: MethodSettings,
  one: SandboxCredential,
): Json {
  const { credential } = misbehaviour()
  const encoded = one.certificates.map((der) => Buffer.from(der).toString("base64"))
  const objects = [
    { type: "Password", id: "PIN", format: "N", label: "PIN", description: "The PIN of the sandbox" },
    {
      type: "ChallengeResponse",
      id: "OTP",
      format: "N",
      label: "Code",
      description: "The code of the sandbox",
    },
  ]
  return {
    description: "Paraph sandbox, no legal effect",
    key: {
      status: credential === "disabled" ? "disabled" : "enabled",
      algo: SIGN_ALGOS[algorithm] ?? [],
      len: SIGNATURE_ALGORITHMS[algorithm].keyKind === "RSA" ? 3072 : 256,
    },
    cert: { status: credential === "revoked" ? "revoked" : "valid", certificates: encoded },
    auth: mode === "explicit" ? { mode, expression: "PIN AND OTP", objects } : { mode },
    SCAL: credential === "not-bound" ? "1" : "2",
    multisign,
    lang: "en",
  }
}

type Named = (asked: Json, bearer: Bearer) => Promise<SandboxCredential>

function explicitRelease(settings: MethodSettings, named: Named): Readonly<Record<string, Method>> {
  const { releases, mode, multisign, misbehaviour } = settings
  const wrong = new Map<string, number>()
  const waiting = new Map<string, { readonly released: Released; polls: number }>()
  const released = (of: Released): Said => {
    const SAD = releases.add(of)
    return ok({ SAD, expiresIn: releases.secondsLeft(SAD) })
  }
  return {
    "credentials/getChallenge": async (asked, bearer) => {
      await named(asked, bearer)
      return { status: 204, body: null }
    },
    "credentials/authorize": async (asked, bearer) => {
      const { id, login } = await named(asked, bearer)
      if (mode !== "explicit") throw refusal("The credential is released by OAuth 2.0")
      const hashes = hashesIn(asked)
      if (asked.numSignatures !== hashes.length) throw refusal("Invalid value for parameter numSignatures")
      if (hashes.length > multisign) throw refusal("Numbers of signatures is too high")
      if ((wrong.get(id) ?? 0) >= MAX_WRONG) throw refusal("Credential locked")
      if (!isProved(asked.authData)) {
        wrong.set(id, (wrong.get(id) ?? 0) + 1)
        throw refusal("The authentication data is invalid", "invalid_authentication_data")
      }
      wrong.delete(id)
      const { pendingPolls = 0, release } = misbehaviour()
      if (release === "refuse") throw refusal("The person has refused", "access_denied")
      const what = { login, credentialId: id, hashes }
      if (pendingPolls === 0) return released(what)
      const handle = randomBytes(16).toString("hex")
      waiting.set(handle, { released: what, polls: pendingPolls })
      return ok({ handle }, 202)
    },
    "credentials/authorizeCheck": async ({ handle }, { login }) => {
      const found = waiting.get(String(handle))
      if (found === undefined || found.released.login !== login) throw refusal("Invalid parameter handle")
      found.polls -= 1
      if (found.polls > 0) return ok({ handle }, 202)
      waiting.delete(String(handle))
      return released(found.released)
    },
  }
}

function isProved(authData: unknown): boolean {
  if (!Array.isArray(authData)) return false
  const given = new Map(authData.map((one: { id?: unknown; value?: unknown }) => [one?.id, one?.value]))
  return Object.entries(SANDBOX_FACTORS).every(([id, value]) => given.get(id) === value)
}

function signing(settings: MethodSettings, named: Named): Readonly<Record<string, Method>> {
  const { algorithm, releases, misbehaviour, note } = settings
  const kept = new Map<
    string,
    { readonly login: string; readonly signatures: readonly string[]; polls: number }
  >()
  const size = SIGNATURE_ALGORITHMS[algorithm].digest === "sha384" ? 48 : 32
  return {
    "signatures/signHash": async (asked, bearer) => {
      const credential = await named(asked, bearer)
      const hashes = hashesIn(asked)
      if (!SIGN_ALGOS[algorithm]?.includes(String(asked.signAlgo)))
        throw refusal("Invalid parameter signAlgo")
      if (asked.signAlgo === "1.2.840.113549.1.1.10" && typeof asked.signAlgoParams !== "string")
        throw refusal("Missing (or invalid type) string parameter signAlgoParams")
      if (!hashes.every((hash) => Buffer.from(hash, "base64").length === size))
        throw refusal("Invalid digest value length")
      const name =
        typeof asked.SAD === "string" ? asked.SAD : bearer.scope === "credential" ? bearer.grantId : ""
      if (name === "") throw refusal("Missing (or invalid type) string parameter SAD")
      releases.take(name, { login: credential.login, credentialId: credential.id, hashes })
      const signatures: string[] = []
      for (const hash of hashes) {
        const digest = Buffer.from(hash, "base64")
        if (misbehaviour().signs === "another-hash") digest[0] = (digest[0] ?? 0) ^ 1
        signatures.push(Buffer.from(await credential.sign(digest)).toString("base64"))
        note({ login: credential.login, credentialId: credential.id, hash })
      }
      if (misbehaviour().signs === "too-few") signatures.pop()
      if (misbehaviour().signs === "too-many") signatures.push(...signatures.slice(0, 1))
      if (asked.operationMode !== "A") return ok({ signatures })
      const responseID = randomBytes(16).toString("hex")
      kept.set(responseID, { login: credential.login, signatures, polls: misbehaviour().pendingPolls ?? 0 })
      return ok({ responseID })
    },
    "signatures/signPolling": async ({ requestID }, { login }) => {
      const found = kept.get(String(requestID))
      if (found === undefined || found.login !== login) throw refusal("Invalid parameter requestID")
      if (found.polls <= 0) return ok({ signatures: found.signatures })
      found.polls -= 1
      return ok({ error: "accepted_request", error_description: "Not completed yet" }, 202)
    },
  }
}

function hashesIn({ hashes }: Json): readonly string[] {
  if (!Array.isArray(hashes) || !hashes.every((hash) => typeof hash === "string"))
    throw refusal("Missing (or invalid type) array parameter hash")
  if (hashes.length === 0) throw refusal("Empty hash array")
  return hashes
}
