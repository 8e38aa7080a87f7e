// The answers of the methods (CSC API 2.0, 11), read. What they say is a claim still: see credential.ts and sign.ts.

import { invalid } from "./failed.ts"
import {
  bytes,
  type Json,
  member,
  optionalInteger,
  optionalList,
  optionalText,
  readObject,
  text,
  texts,
} from "./json.ts"

// Each may be one call more, and people have one or two.
export const MAX_CREDENTIALS = 20
const MAX_CHAIN = 10
const MAX_CERTIFICATE = 24_576
const MAX_NAMES = 200
const MAX_ID = 1_000
const MAX_WORDS = 2_000
/** A token may be a JWT that holds a hash of each of fifty documents. */
export const MAX_TOKEN = 32_768
/** RSA with 16,384 bits, in base64. */
const MAX_SIGNATURE = 2_732
const DEFAULT_SECONDS = 3_600
/** Nothing that a provider says lasts longer. */
const MAX_SECONDS = 86_400

export type CscInfo = {
  readonly specs: string
  readonly name: string
  readonly region: string | undefined
  readonly description: string | undefined
  readonly authType: readonly string[]
  readonly methods: readonly string[]
  readonly isAsynchronous: boolean
  /** 8.4: where people log in; one of the two, or neither where it has no OAuth. */
  readonly oauth2: string | undefined
  readonly oauth2Issuer: string | undefined
}

export function readInfo(answer: Json): CscInfo {
  return {
    specs: text(answer, "specs", 50),
    name: text(answer, "name", MAX_WORDS),
    region: optionalText(answer, "region", 10),
    description: optionalText(answer, "description", MAX_WORDS),
    authType: texts(answer, "authType", MAX_NAMES, 100),
    methods: texts(answer, "methods", MAX_NAMES, 100),
    isAsynchronous: member(answer, "asynchronousOperationMode") === true,
    oauth2: optionalText(answer, "oauth2", MAX_WORDS),
    oauth2Issuer: optionalText(answer, "oauth2Issuer", MAX_WORDS),
  }
}

/** How a person releases the key: on a page of the provider, or by what they give to us for the provider. */
export type CscRelease =
  | { readonly mode: "oauth2code" }
  | {
      readonly mode: "explicit"
      readonly expression: string | undefined
      readonly factors: readonly CscFactor[]
    }

/** 8.3: what is asked of the person. */
export type CscFactor = {
  readonly type: string
  readonly id: string
  readonly format: "A" | "N" | undefined
  readonly label: string | undefined
  readonly description: string | undefined
}

/** What a provider says of a credential. */
export type ClaimedCredential = {
  readonly id: string
  readonly description: string | undefined
  readonly isKeyEnabled: boolean
  /** Object identifiers. */
  readonly keyAlgorithms: readonly string[]
  readonly certificateStatus: string | undefined
  /** DER: the signer's first. */
  readonly certificates: readonly Uint8Array[]
  readonly release: CscRelease
  readonly scal: 1 | 2
  readonly multisign: number
}

export type ListedCredentials = {
  readonly ids: readonly string[]
  /** Those that it described at once, still to be read; providers of version 1 describe none. */
  readonly described: ReadonlyMap<string, Json>
}

export function readCredentialsList(answer: Json): ListedCredentials {
  const ids = texts(answer, "credentialIDs", MAX_CREDENTIALS, MAX_ID)
  if (member(answer, "credentialIDs") === undefined) throw invalid("credentialIDs is missing")
  if (new Set(ids).size !== ids.length || ids.includes("")) throw invalid("a credential stands twice")
  const infos = optionalList(answer, "credentialInfos", MAX_CREDENTIALS) ?? []
  const described = infos.map((info) => {
    const read = readObject(info, "a credential")
    return [text(read, "credentialID", MAX_ID), read] as const
  })
  return { ids, described: new Map(described) }
}

export function readCredentialInfo(id: string, answer: Json): ClaimedCredential {
  const key = readObject(member(answer, "key"), "key")
  const cert = readObject(member(answer, "cert"), "cert")
  const encoded = texts(cert, "certificates", MAX_CHAIN, MAX_CERTIFICATE)
  const multisign = optionalInteger(answer, "multisign", 1_000_000)
  if (!multisign) throw invalid("multisign is missing")
  return {
    id,
    description: optionalText(answer, "description", MAX_WORDS),
    isKeyEnabled: text(key, "status", 50) === "enabled",
    keyAlgorithms: texts(key, "algo", MAX_NAMES, 100),
    certificateStatus: optionalText(cert, "status", 50),
    certificates: encoded.map((certificate) => bytes(certificate, "a certificate")),
    release: readRelease(readObject(member(answer, "auth"), "auth")),
    // 11.4: where nothing is said the hash is not bound to the release.
    scal: String(member(answer, "SCAL") ?? "1") === "2" ? 2 : 1,
    multisign,
  }
}

function readRelease(auth: Json): CscRelease {
  const mode = text(auth, "mode", 50)
  if (mode === "oauth2code") return { mode }
  // Version 1 has "implicit" besides; what it does for a release is not ours to know.
  if (mode !== "explicit") throw invalid("a release of an unknown mode")
  const factors = (optionalList(auth, "objects", 20) ?? []).map((one): CscFactor => {
    const factor = readObject(one, "an authentication object")
    const format = optionalText(factor, "format", 10)
    return {
      type: text(factor, "type", 100),
      id: text(factor, "id", MAX_ID),
      format: format === "A" || format === "N" ? format : undefined,
      label: optionalText(factor, "label", MAX_WORDS),
      description: optionalText(factor, "description", MAX_WORDS),
    }
  })
  return { mode, expression: optionalText(auth, "expression", MAX_WORDS), factors }
}

export type Activation =
  | { readonly state: "released"; readonly sad: string; readonly seconds: number }
  /** 11.6: the person is asked elsewhere, on their telephone say. */
  | { readonly state: "pending"; readonly handle: string }

export function readActivation(answer: Json, status: number): Activation {
  if (status === 202) return { state: "pending", handle: text(answer, "handle", MAX_ID) }
  return { state: "released", sad: text(answer, "SAD", MAX_TOKEN), seconds: readSeconds(answer, "expiresIn") }
}

/** Of a token or of a SAD: 8.4.4 and 11.6 have the same default. */
export function readSeconds(answer: Json, name: string): number {
  return optionalInteger(answer, name, MAX_SECONDS) ?? DEFAULT_SECONDS
}

export type Signatures =
  | { readonly state: "signed"; readonly values: readonly Uint8Array[] }
  | { readonly state: "pending"; readonly responseId: string }

export function readSignatures(answer: Json, count: number): Signatures {
  const responseId = optionalText(answer, "responseID", MAX_ID)
  if (responseId) return { state: "pending", responseId }
  return { state: "signed", values: readValues(answer, count) }
}

export function readValues(answer: Json, count: number): readonly Uint8Array[] {
  const values = texts(answer, "signatures", count, MAX_SIGNATURE)
  if (values.length !== count) throw invalid("not a signature for each hash")
  return values.map((value) => bytes(value, "a signature"))
}
