// A service that has its people sign at the sandbox's provider: our own client, over HTTP.

import { randomBytes, verify, X509Certificate } from "node:crypto"
import {
  type CscCredential,
  type CscProvider,
  type CscSigning,
  createCscProvider,
} from "@paraph/gateways/csc"
import { CscFailed, type CscFailure } from "@paraph/gateways/csc-failed"
import { createOutbound } from "@paraph/gateways/outbound"
import { readCertificate } from "@paraph/pki/certificate"
import type { TrustSandbox } from "../../sandbox.ts"
import { type CscPerson, visitCscProvider } from "../person.ts"
import { type CscSandbox, type CscSandboxOptions, SANDBOX_FACTORS, startCscProvider } from "../provider.ts"

export const REDIRECT = "http://service.example/qes/sandbox/back"
export const CLIENT = { clientId: "paraph", clientSecret: "a secret: of %the client" }
/** For those who do not answer at all. */
const SILENCE_MS = 500

export type Rig = {
  readonly csc: CscSandbox
  readonly provider: CscProvider
  /** The same, and it waits for next to nothing. */
  readonly impatient: CscProvider
  /** By the scope `service`: the token, and the one credential. */
  readonly find: (
    login: string,
  ) => Promise<{ readonly accessToken: string; readonly credential: CscCredential }>
  /** The person at the page of the release: what signHash is called with afterwards. */
  readonly release: (
    credential: CscCredential,
    toBeSigned: readonly Uint8Array[],
    person: CscPerson,
  ) => Promise<CscSigning>
  readonly close: () => Promise<void>
}

export async function startRig(
  sandbox: TrustSandbox,
  options: Partial<CscSandboxOptions> = {},
  allowedHosts: readonly string[] = ["127.0.0.1"],
): Promise<Rig> {
  const now = options.now ?? (() => new Date())
  const csc = await startCscProvider({
    sandbox,
    now,
    clients: [{ ...CLIENT, redirectUris: [REDIRECT] }],
    ...options,
  })
  const settings = {
    ...CLIENT,
    name: "sandbox",
    baseUrl: csc.baseUrl,
    legislation: options.legislation ?? "EIDAS",
    kind: "demo",
    anchors: [readCertificate(sandbox.root)],
  } as const
  const outbound = createOutbound({ allowedHosts: { qes: allowedHosts } })
  const provider = createCscProvider(settings, { outbound, now })
  const impatient = createCscProvider(settings, { outbound, now, timeoutMs: SILENCE_MS })
  const find: Rig["find"] = async (login) => {
    const way = newWay()
    const { back } = await visitCscProvider(await provider.authorizationUrl({ scope: "service", ...way }), {
      login,
    })
    const { accessToken } = await provider.exchange(way, back.search)
    const [credential] = (await provider.credentials(accessToken)).usable
    if (credential === undefined) throw new Error("Nothing to sign with.")
    return { accessToken, credential }
  }
  const release: Rig["release"] = async (credential, toBeSigned, person) => {
    const way = newWay()
    const signing = signingOf(credential, toBeSigned)
    const url = await provider.authorizationUrl({ scope: "credential", ...way, ...signing })
    const { back } = await visitCscProvider(url, person)
    return { ...signing, accessToken: (await provider.exchange(way, back.search)).accessToken }
  }
  return { csc, provider, impatient, find, release, close: csc.close }
}

export const newWay = () => ({
  redirectUri: REDIRECT,
  state: randomBytes(16).toString("base64url"),
  codeVerifier: randomBytes(32).toString("base64url"),
})

export function signingOf(
  { id, certificate, algorithms }: CscCredential,
  toBeSigned: readonly Uint8Array[],
): Omit<CscSigning, "accessToken"> {
  const [algorithm] = algorithms
  if (algorithm === undefined) throw new Error("No algorithm.")
  return { credentialId: id, certificate, algorithm, toBeSigned }
}

/** The verdict of node:crypto, for the algorithms with a hash of their own. */
export function verifies({ certificate, algorithm }: Pick<CscSigning, "certificate" | "algorithm">) {
  const key = new X509Certificate(certificate).publicKey
  const digest = algorithm.name === "ecdsa-sha384" ? "sha384" : "sha256"
  const padding = algorithm.name === "rsa-pss-sha256" ? { padding: 6, saltLength: 32 } : {}
  return (bytes: Uint8Array, value: Uint8Array | undefined) =>
    value !== undefined && verify(digest, bytes, { key, ...padding }, value)
}

export const bytes = (...texts: readonly string[]): readonly Uint8Array[] =>
  texts.map((text) => Buffer.from(text))

export const FACTORS = Object.entries(SANDBOX_FACTORS).map(([id, value]) => ({ id, value }))

/** With what it fails; anything else than a failure of the provider is thrown. */
export async function failure(work: Promise<unknown>): Promise<CscFailed> {
  const error = await work.then(
    () => new Error("It succeeded."),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof CscFailed)) throw error
  return error
}

export const failing = async (work: Promise<unknown>): Promise<CscFailure> => (await failure(work)).code
