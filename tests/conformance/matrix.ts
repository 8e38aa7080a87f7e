// Every kind of signature that the engine makes, as files: level × algorithm × kind of input × how many × seen or not.

import { constants, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { makeAppearance } from "@paraph/pades/appearance"
import { finish, timestampSignature } from "@paraph/pades/finish"
import { type PrepareOptions, prepare } from "@paraph/pades/prepare"
import { raise } from "@paraph/pades/raise"
import type { SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import type { TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { INPUTS, type Input, writeInputs } from "./inputs.ts"

export const LEVELS = ["B-B", "B-T", "B-LT", "B-LTA"] as const
export type Level = (typeof LEVELS)[number]

export const ALGORITHMS = {
  "RSA-2048": "rsa-sha256",
  "RSA-PSS": "rsa-pss-sha256",
  "P-256": "ecdsa-sha256",
  "P-384": "ecdsa-sha384",
} as const satisfies Record<string, SignatureAlgorithm>
export type Algorithm = keyof typeof ALGORITHMS

export type Case = {
  readonly level: Level
  readonly algorithm: Algorithm
  readonly input: Input
  readonly count: 1 | 5
  readonly visible: boolean
}
export type Made = Case & { readonly file: string; readonly fields: readonly string[] }

export const CASES: readonly Case[] = LEVELS.flatMap((level) =>
  (Object.keys(ALGORITHMS) as Algorithm[]).flatMap((algorithm) =>
    INPUTS.flatMap((input) =>
      ([1, 5] as const).flatMap((count) =>
        [false, true].map((visible) => ({ level, algorithm, input, count, visible })),
      ),
    ),
  ),
)

export type Signer = {
  readonly privateKey: KeyObject
  readonly certificate: Uint8Array
  readonly name: string
}

/** Real services are asked for every time-stamp, OCSP response and CRL. */
export async function makeAll(
  sandbox: TrustSandbox,
  folder: string,
  cases: readonly Case[] = CASES,
): Promise<readonly Made[]> {
  const inputs = await writeInputs(folder)
  const signers = await newSigners(sandbox)
  const looks = await Promise.all(NAMES.map(look))
  const made: Made[] = []
  for (const one of cases) {
    const base = await readFile(inputs[one.input])
    const signed = await signAll(sandbox, base, one, signers[one.algorithm], looks)
    const file = join(folder, `${made.length + 1}.pdf`)
    await writeFile(file, signed)
    made.push({ ...one, file, fields: NAMES.slice(0, one.count) })
  }
  return made
}

export function titleOf({ level, algorithm, input, count, visible }: Case): string {
  return `${level} ${algorithm} ${input} ×${count} ${visible ? "visible" : "invisible"}`
}

const NAMES = ["Zoë Müller", "Željko Đurić", "Αλέξανδρος", "Щербаков", "Łukasz Żak"] as const

/** Five persons with a key and a certificate of their own, for each algorithm. */
async function newSigners(sandbox: TrustSandbox): Promise<Record<Algorithm, readonly Signer[]>> {
  const five = (algorithm: Algorithm) => Promise.all(NAMES.map((name) => newSigner(sandbox, algorithm, name)))
  return {
    "RSA-2048": await five("RSA-2048"),
    "RSA-PSS": await five("RSA-PSS"),
    "P-256": await five("P-256"),
    "P-384": await five("P-384"),
  }
}

/** `name` is the common name, and the name of the field too. */
export async function newSigner(sandbox: TrustSandbox, algorithm: Algorithm, name: string): Promise<Signer> {
  const { privateKey, publicKey } = algorithm.startsWith("RSA")
    ? generateKeyPairSync("rsa", { modulusLength: 2048 })
    : generateKeyPairSync("ec", { namedCurve: algorithm })
  const publicKeySpki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
  return { privateKey, name, certificate: await sandbox.issue({ commonName: name, publicKeySpki }) }
}

const BOX = { width: 200, height: 60 }
type Look = Required<Pick<PrepareOptions, "appearance" | "place">>

async function look(name: string, i: number): Promise<Look> {
  const appearance = await makeAppearance({ ...BOX, lines: [name, "signed in the sandbox"] })
  return { appearance, place: { page: 0, x: 60, y: 60 + 80 * i, ...BOX } }
}

/** As the product does it: all sign one after the other, each with a time-stamp, and then the document is raised once. */
async function signAll(
  sandbox: TrustSandbox,
  base: Uint8Array,
  { level, algorithm, count, visible }: Case,
  signers: readonly Signer[],
  looks: readonly Look[],
): Promise<Uint8Array> {
  let signed = base
  for (const [i, signer] of signers.slice(0, count).entries()) {
    const options = { algorithm: ALGORITHMS[algorithm], ...(visible ? looks[i] : {}) }
    signed = await signOnce(sandbox, signed, signer, level !== "B-B", options)
  }
  if (level === "B-B" || level === "B-T") return signed
  return Buffer.concat([signed, await raise(signed, { to: level, ...servicesOf(sandbox) })])
}

export async function signOnce(
  sandbox: TrustSandbox,
  base: Uint8Array,
  { name, certificate, privateKey }: Signer,
  timestamped: boolean,
  options: Partial<PrepareOptions> & { readonly algorithm: SignatureAlgorithm },
): Promise<Uint8Array> {
  const signedAt = new Date()
  const chain = [sandbox.issuing]
  const prepared = prepare(base, {
    fieldName: name,
    certificate,
    chain,
    signedAt,
    signerName: name,
    ...options,
  })
  const value = signBytes(options.algorithm, Buffer.from(prepared.signedAttributes, "base64"), privateKey)
  if (!timestamped) return Buffer.concat([base, finish(prepared, value)])
  const { timestamp: authority, ...rules } = servicesOf(sandbox)
  const timestamp = await timestampSignature(prepared, value, authority, rules)
  return Buffer.concat([base, finish(prepared, value, { timestamp })])
}

function signBytes(algorithm: SignatureAlgorithm, bytes: Uint8Array, key: KeyObject): Uint8Array {
  const hash = algorithm === "ecdsa-sha384" ? "sha384" : "sha256"
  if (algorithm !== "rsa-pss-sha256") return sign(hash, bytes, key)
  return sign(hash, bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 })
}

/** What `raise` asks of the world, answered by the sandbox over HTTP. */
export function servicesOf(sandbox: TrustSandbox) {
  return {
    now: new Date(),
    anchors: [sandbox.root],
    timestamp: (query: Uint8Array) => post(sandbox.timestampUrl, "application/timestamp-query", query),
    revocation: {
      askOcsp: (url: string, request: Uint8Array) => post(url, "application/ocsp-request", request),
      fetchCrl: (url: string) => ask(url),
      fetchCertificate: (url: string) => ask(url),
    },
  }
}

function post(url: string, type: string, body: Uint8Array): Promise<Uint8Array> {
  return ask(url, { method: "POST", headers: { "content-type": type }, body: new Uint8Array(body) })
}

async function ask(url: string, init: RequestInit = {}): Promise<Uint8Array> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}
