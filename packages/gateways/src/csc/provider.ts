// A remote signing provider by the API of the Cloud Signature Consortium, version 2 (CSC API 2.0.0.2). What it answers is
// never believed; see credential.ts and sign.ts for what is checked.

import type { Certificate } from "@paraph/pki/certificate"
import type { Legislation } from "@paraph/pki/qc-statements"
import type { Outbound } from "../outbound/outbound.ts"
import { type CscAlgorithm, hashOf, hashOid } from "./algorithm.ts"
import { type CscInfo, readActivation, readCredentialInfo, readCredentialsList, readInfo } from "./answer.ts"
import {
  authorizationUrl,
  type CscAsked,
  type CscClient,
  type CscToken,
  type CscWay,
  exchangeCode,
} from "./authorization.ts"
import { type Call, createCall } from "./call.ts"
import { type CscCredential, isUsable, type Judging, judge, type UnusableCredential } from "./credential.ts"
import { CscFailed } from "./failed.ts"
import { type Json, optionalText } from "./json.ts"
import { type CscSigned, type CscSigning, signHash, signPolling } from "./sign.ts"

export type {
  CscAlgorithm,
  CscAsked,
  CscCredential,
  CscInfo,
  CscSigned,
  CscSigning,
  CscToken,
  CscWay,
  UnusableCredential,
}

export type CscSettings = CscClient & {
  readonly name: string
  /** With its version, such as `https://service.example.org/csc/v2`. */
  readonly baseUrl: string
  readonly legislation: Legislation
  readonly kind: "demo" | "production"
  readonly anchors: readonly Certificate[]
}

export type CscCredentials = {
  readonly usable: readonly CscCredential[]
  /** Why the others are not: for the person, who may have taken the wrong provider. */
  readonly unusable: readonly UnusableCredential[]
}

/** The release of a credential whose mode is `explicit`: what the person gave us goes to the provider. */
export type CscActivating = {
  readonly accessToken: string
  readonly credentialId: string
  readonly algorithm: CscAlgorithm
  readonly toBeSigned: readonly Uint8Array[]
  /** By the id of the factor; one that is given elsewhere (PasswordOOB and the like) has no value. */
  readonly factors: readonly { readonly id: string; readonly value?: string }[]
}

export type CscActivated =
  | { readonly state: "released"; readonly sad: string; readonly expiresAt: Date }
  | { readonly state: "pending"; readonly handle: string }

export type CscProvider = Pick<CscSettings, "name" | "legislation" | "kind"> & {
  readonly info: () => Promise<CscInfo>
  readonly authorizationUrl: (asked: CscAsked) => Promise<string>
  /** A code counts once: what is lost here, the person gives again. */
  readonly exchange: (way: CscWay, query: string) => Promise<CscToken>
  readonly credentials: (accessToken: string) => Promise<CscCredentials>
  readonly challenge: (accessToken: string, credentialId: string, factorId: string) => Promise<string | null>
  readonly activate: (asked: CscActivating) => Promise<CscActivated>
  readonly activation: (accessToken: string, handle: string) => Promise<CscActivated>
  readonly signHash: (asked: CscSigning) => Promise<CscSigned>
  readonly signPolling: (asked: CscSigning, responseId: string) => Promise<CscSigned>
}

const TIMEOUT_MS = 60_000

export function createCscProvider(settings: CscSettings, parts: CscParts): CscProvider {
  const { name, legislation, kind, baseUrl } = settings
  const { outbound, now, timeoutMs = TIMEOUT_MS } = parts
  const reach = { outbound, baseUrl: baseUrl.replace(/\/+$/, ""), timeoutMs }
  const call = createCall(reach)
  // Asked for each time: what a provider has changed counts at once.
  const info = async () => readInfo((await call("info", null, {})).body)
  const activated = ({ status, body }: Awaited<ReturnType<Call>>): CscActivated => {
    const read = readActivation(body, status)
    if (read.state === "pending") return read
    return { state: read.state, sad: read.sad, expiresAt: new Date(now().getTime() + read.seconds * 1000) }
  }
  return {
    name,
    legislation,
    kind,
    info,
    authorizationUrl: async (asked) => authorizationUrl(reach, settings, await info(), asked),
    exchange: async (way, query) =>
      exchangeCode(reach, settings, await info(), { ...way, now: now() }, query),
    credentials: (accessToken) => findCredentials(call, accessToken, { ...settings, at: now() }),
    challenge: async (accessToken, credentialId, factorId) => {
      const asked = { credentialID: credentialId, authObjectID: factorId }
      const { body } = await call("credentials/getChallenge", accessToken, asked)
      return optionalText(body, "challenge", 2_000) ?? null
    },
    activate: async (asked) => activated(await activate(call, asked)),
    activation: async (accessToken, handle) =>
      activated(await call("credentials/authorizeCheck", accessToken, { handle })),
    signHash: (asked) => signHash(call, asked),
    signPolling: (asked, responseId) => signPolling(call, asked, responseId),
  }
}

export type CscParts = {
  readonly outbound: Outbound
  readonly now: () => Date
  readonly timeoutMs?: number
}

const DETAILS = { certificates: "chain", certInfo: true, authInfo: true }

async function findCredentials(call: Call, accessToken: string, judging: Judging): Promise<CscCredentials> {
  const asked = { credentialInfo: true, ...DETAILS }
  const { ids, described } = readCredentialsList((await call("credentials/list", accessToken, asked)).body)
  const judged: (CscCredential | UnusableCredential)[] = []
  for (const id of ids) {
    // Version 1.0.4 lists the names alone.
    const claim =
      described.get(id) ??
      (await call("credentials/info", accessToken, { credentialID: id, ...DETAILS })).body
    judged.push(judgeClaim(id, claim, judging))
  }
  const unusable = judged.filter((one): one is UnusableCredential => !isUsable(one))
  return { usable: judged.filter(isUsable), unusable }
}

/** One credential that nobody can read does not take the others away. */
function judgeClaim(id: string, claim: Json, judging: Judging): CscCredential | UnusableCredential {
  try {
    return judge(readCredentialInfo(id, claim), judging)
  } catch (error) {
    if (error instanceof CscFailed) return { id, reason: "unreadable" }
    throw error
  }
}

function activate(call: Call, { accessToken, credentialId, algorithm, toBeSigned, factors }: CscActivating) {
  return call("credentials/authorize", accessToken, {
    credentialID: credentialId,
    numSignatures: toBeSigned.length,
    hashes: toBeSigned.map((bytes) => hashOf(algorithm, bytes).toString("base64")),
    hashAlgorithmOID: hashOid(algorithm),
    authData: factors,
  })
}
