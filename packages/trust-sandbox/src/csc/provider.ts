// A remote signing provider by CSC API v2 for tests, development and the sandbox, and for nothing else: whoever says a
// name has it. It behaves like a real one otherwise, and, when told so, like a real one on a bad day.

import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import type { Keys, KeysSettings } from "@paraph/gateways/keys"
import type { Legislation } from "@paraph/pki/qc-statements"
import type { SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import type { TrustSandbox } from "../sandbox.ts"
import { type Authorization, type CscClientRegistration, createAuthorization } from "./authorization.ts"
import { createCredentials } from "./credentials.ts"
import {
  createMethods,
  type Json,
  type MadeSignature,
  type Method,
  SANDBOX_FACTORS,
  type Said,
} from "./methods.ts"
import type { CscAnswer, CscMethod, CscMisbehaviour } from "./misbehaviour.ts"
import { CscRefusal, refusal } from "./refusal.ts"
import { createReleases } from "./releases.ts"

export type { CscMisbehaviour, MadeSignature }
export { SANDBOX_FACTORS }

export type CscSandboxOptions = {
  /** Its issuing authority makes the certificates, and answers for them. */
  readonly sandbox: TrustSandbox
  readonly now: () => Date
  readonly clients: readonly CscClientRegistration[]
  /** Zero, the default, takes one that is free. */
  readonly port?: number
  readonly keys?: "memory" | KeysSettings | Keys
  readonly algorithm?: SignatureAlgorithm
  readonly legislation?: Legislation
  /** How people release their key: on its page, or by a PIN and a code that they give to the client. */
  readonly mode?: "oauth2code" | "explicit"
  /** How its `info` tells where people log in. */
  readonly discovery?: "oauth2" | "oauth2Issuer"
  /** Version 2 can describe the credentials in their list. */
  readonly listsDetails?: boolean
  /** How many signatures a release is good for, and for how long. */
  readonly multisign?: number
  readonly releaseSeconds?: number
  /** The name in the certificate of whoever logs in as that. */
  readonly nameOf?: (login: string) => string
}

export type CscSandbox = {
  /** Ends in `/csc/v2`. */
  readonly baseUrl: string
  /** What keys have signed here since the start; to see that nothing was signed twice. */
  readonly signatures: () => readonly MadeSignature[]
  /** The certificate of whoever logs in as that, DER; the sandbox can revoke it. */
  readonly certificateOf: (login: string) => Promise<Uint8Array>
  /** Says how it answers from now on; `{}` makes it behave again. */
  readonly misbehave: (how: CscMisbehaviour) => void
  readonly close: () => Promise<void>
}

const MAX_BODY_BYTES = 262_144

export async function startCscProvider(options: CscSandboxOptions): Promise<CscSandbox> {
  const { algorithm = "ecdsa-sha256", legislation = "EIDAS", mode = "oauth2code", now } = options
  const { nameOf = nameFrom, releaseSeconds: seconds = 300, keys = "memory" } = options
  let how: CscMisbehaviour = {}
  const misbehaviour = () => how
  const made: MadeSignature[] = []
  const server = createServer()
  server.listen(options.port ?? 0, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const credentials = createCredentials({
    sandbox: options.sandbox,
    now,
    keys,
    algorithm,
    legislation,
    nameOf,
  })
  const releases = createReleases(now, seconds, () => how.authorisation === "expired")
  const { clients, multisign = 100, listsDetails = true } = options
  const pages = { url, clients, releases, nameOf, seconds, multisign, misbehaviour }
  const authorization = createAuthorization(pages)
  const methods = createMethods({
    ...{ credentials, releases, algorithm, mode, multisign, listsDetails, misbehaviour },
    note: (signature) => made.push(signature),
  })
  const info = {
    ...INFO,
    region: legislation === "ZERTES" ? "CH" : "DE",
    [options.discovery ?? "oauth2"]: url,
  }
  const desk = { methods, authorization, info, misbehaviour }
  server.on("request", (request, response) => {
    answer(desk, request, response).catch(() => response.headersSent || response.writeHead(500).end())
  })
  return {
    baseUrl: `${url}/csc/v2`,
    signatures: () => [...made],
    certificateOf: async (login) => (await credentials.of(login)).certificates[0] ?? new Uint8Array(),
    misbehave: (next) => {
      how = next
    },
    close: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
      await credentials.close()
    },
  }
}

const INFO = {
  specs: "2.0.0.2",
  name: "Paraph sandbox",
  logo: "https://paraph.example/logo.png",
  lang: "en",
  description: "A remote signing provider for trying out. No legal effect.",
  authType: ["oauth2code"],
  asynchronousOperationMode: true,
  methods: [
    ...["oauth2/authorize", "oauth2/token", "oauth2/revoke", "credentials/list", "credentials/info"],
    ...["credentials/authorize", "credentials/authorizeCheck", "credentials/getChallenge"],
    ...["signatures/signHash", "signatures/signPolling"],
  ],
  signAlgorithms: { algos: ["1.2.840.10045.4.3.2", "1.2.840.113549.1.1.1"] },
  signature_formats: { formats: [], envelope_properties: [] },
  conformance_levels: [],
} as const

/** "ada.lovelace@example.org" is Ada Lovelace. */
function nameFrom(login: string): string {
  const words = login.replace(/@.*$/s, "").split(/[^\p{L}\p{M}\p{N}']+/u)
  const name = words.filter((word) => word !== "").map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return name.join(" ").slice(0, 64) || "Nobody"
}

type Desk = {
  readonly methods: Readonly<Record<string, Method>>
  readonly authorization: Authorization
  readonly info: Json
  readonly misbehaviour: () => CscMisbehaviour
}

async function answer(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? "").split("?")[0] ?? ""
  const name = path.replace(/^\/(csc\/v2\/)?/, "") as CscMethod
  const { slowMs = 0, answers = {} } = desk.misbehaviour()
  const isCall = path.startsWith("/csc/v2/") || name === "oauth2/token"
  if (isCall && slowMs > 0) await sleep(slowMs)
  const wrong = isCall ? answers[name] : undefined
  if (wrong !== undefined && wrong !== "lost") return misbehaving(wrong, request, response)
  if (!path.startsWith("/csc/v2/")) return desk.authorization.handle(request, response)
  const said = await carryOut(desk, name, request)
  // All was done, and nobody hears of it.
  if (wrong === "lost") return void request.socket.destroy()
  reply(response, said)
}

async function carryOut(desk: Desk, name: string, request: IncomingMessage): Promise<Said> {
  try {
    if (request.method !== "POST") return { status: 405, body: {} }
    const asked = await readAsked(request)
    if (name === "info") return { status: 200, body: desk.info }
    const method = Object.hasOwn(desk.methods, name) ? desk.methods[name] : undefined
    if (method === undefined) throw refusal("No such method", "invalid_request", 501)
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1]
    if (token === undefined) throw refusal("Malformed authorization header")
    const bearer = await desk.authorization.bearer(token)
    if (bearer === null) throw refusal("The access token is not valid", "invalid_token", 401)
    return await method(asked, bearer)
  } catch (error) {
    if (!(error instanceof CscRefusal)) throw error
    const body = { error: error.error, error_description: error.message }
    return { status: error.status, body }
  }
}

async function readAsked(request: IncomingMessage): Promise<Json> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > MAX_BODY_BYTES) throw refusal("The request is too large", "invalid_request", 413)
    parts.push(part)
  }
  try {
    const asked: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"))
    if (typeof asked === "object" && asked !== null && !Array.isArray(asked)) return asked as Json
  } catch {
    // Told below.
  }
  throw refusal("The request is no JSON object")
}

function reply(response: ServerResponse, { status, body }: Said): void {
  const bytes = body === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body))
  response
    .writeHead(status, {
      "content-type": "application/json",
      connection: "close",
      ...(status !== 204 && { "content-length": bytes.length }),
    })
    .end(bytes)
}

function misbehaving(
  how: Exclude<CscAnswer, "lost">,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  request.resume()
  const head = { "content-type": "application/json", connection: "close" }
  if (how === "silence") return
  if (how === "drop") return void request.socket.destroy()
  if (how === "error") return void response.writeHead(500, { ...head, "content-length": 0 }).end()
  if (how === "rate-limited")
    return void response.writeHead(429, { ...head, "retry-after": "7", "content-length": 0 }).end()
  const text = how === "garbage" ? "<html>It works!</html>" : `{"a":"${"x".repeat(4_000_000)}"}`
  response.writeHead(200, { ...head, "content-length": text.length }).end(text)
}
