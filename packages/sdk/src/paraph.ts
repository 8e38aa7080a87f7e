import type { components as V2, paths as V2Paths } from "./api/v2.ts"
import type { components as V3, paths as V3Paths } from "./api/v3.ts"
import type { operations, components as V1, paths as ValidationPaths } from "./api/validation-v1.ts"
import { type Clock, systemClock } from "./clock.ts"
import { mustSucceed, ProblemError } from "./problem.ts"
import { type Call, type Line, type Send, sending } from "./sending.ts"
import { createToken } from "./token.ts"
import { documentUpload, formWith, type NewDocument } from "./upload.ts"
import { createVersion, type Version } from "./version.ts"
import { type AnyRequest, type WaitOptions, waitUntilSigned } from "./wait.ts"

export type Settings = {
  /** Where the service is, without a version: `https://sign.example.org`. */
  readonly url: string
  readonly username: string
  readonly apiKey: string
  /** Where the validation interface is, if elsewhere; `{url}/validation/v1` unless given. */
  readonly validationUrl?: string
  /** How often a call is repeated that may be; 3 unless given. */
  readonly retries?: number
  /** The longest pause that the service may ask for, in milliseconds; 60,000 unless given. Where it asks for more, you are told. */
  readonly longestPause?: number
  readonly fetch?: typeof fetch
  readonly clock?: Clock
}

/** What versions 2 and 3 have beside their operations. */
export type Signing<Paths extends object, Document, Request> = Version<Paths> & {
  /** Sends a PDF as it is read, not as Base64. */
  readonly uploadDocument: (document: NewDocument) => Promise<Document>
  /** The request once everybody has signed. Throws a NotSignedError where that cannot come any more. */
  readonly waitUntilSigned: (
    id: string,
    options?: WaitOptions,
  ) => Promise<Request & { status_overall: "SIGNED" }>
}

export type ValidationQuery = NonNullable<operations["validateDocument"]["parameters"]["query"]>
export type ValidateOptions = ValidationQuery & { readonly signal?: AbortSignal }

export type Validation = Version<ValidationPaths> & {
  /** Sends a signed PDF as it is read, and answers what it is worth. */
  readonly validateDocument: (
    content: Blob,
    options?: ValidateOptions,
  ) => Promise<V1["schemas"]["Validation"]>
}

export type Planning = {
  /** What would happen if the request were created (`dry_run`); nothing is stored. */
  readonly planSignatureRequest: (
    body: V3["schemas"]["SignatureRequestCreateBody"],
    options?: { readonly signal?: AbortSignal },
  ) => Promise<V3["schemas"]["RequestPlan"]>
}

export type Paraph = {
  readonly v2: Signing<V2Paths, V2["schemas"]["Document"], V2["schemas"]["SignatureRequest"]>
  /** A preview: it may change. */
  readonly v3: Signing<V3Paths, V3["schemas"]["Document"], V3["schemas"]["SignatureRequest"]> & Planning
  readonly validation: Validation
}

/** All versions under one token, which is had at the first call and renewed as needed. */
export function createParaph(settings: Settings): Paraph {
  const base = addressOf(settings.url)
  mustBeGiven("username", settings.username)
  mustBeGiven("apiKey", settings.apiKey)
  const { retries = 3, longestPause = 60_000, clock = systemClock } = settings
  // Called at globalThis: a fetch that has lost its place is refused by some runtimes.
  const fetching = settings.fetch ?? ((input, init) => globalThis.fetch(input, init))
  const line: Line = { fetch: fetching, clock, retries, longestPauseMs: longestPause }
  const token = createToken(() => logIn(sending(line), base, settings), clock)
  const send = withKeys(sending(line, token))
  const validationBase = addressOf(settings.validationUrl ?? `${base}/validation/v1`)
  return {
    v2: signing(`${base}/v2`, send, clock),
    v3: { ...signing(`${base}/v3`, send, clock), planSignatureRequest: planning(`${base}/v3`, send) },
    validation: validation(validationBase, send),
  }
}

/** Keys and tokens go over HTTPS alone (part 5 of the interface), but for a service on this machine. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) throw new TypeError(`${url} is no address, such as https://sign.example.org.`)
  const { protocol, hostname, search, hash } = new URL(url)
  const isHere = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]"
  if (protocol !== "https:" && !(protocol === "http:" && isHere))
    throw new TypeError(`${url} does not begin with https://, or http:// for a service on this machine.`)
  if (search !== "" || hash !== "") throw new TypeError(`${url} has a query or a fragment.`)
  return url.replace(/\/+$/, "")
}

/** Said here, not by the service: a variable of the environment that is not set is the usual reason. */
function mustBeGiven(name: "username" | "apiKey", value: unknown): void {
  if (typeof value !== "string" || value === "") throw new TypeError(`${name} is missing or empty.`)
}

async function logIn(send: Send, base: string, { username, apiKey }: Settings): Promise<string> {
  const body = JSON.stringify({ username, "api-key": apiKey })
  const response = await send({
    method: "POST",
    url: `${base}/v2/access/login`,
    // The service looks at no key here. It says that a login may be repeated, which changes nothing.
    headers: new Headers({ "content-type": "application/json", "idempotency-key": crypto.randomUUID() }),
    body: { make: () => body },
  })
  if (response.status === 404) throw new ProblemError(404, { message: notAService(base) }, response.headers)
  return (await mustSucceed(response)).text()
}

const notAService = (base: string): string =>
  `There is no service at ${base}: url is its address without a version, such as https://sign.example.org.`

/** Every POST of the interface may carry a key; the same over all its attempts, so that its work is done once. */
const withKeys =
  (send: Send): Send =>
  (call: Call) => {
    if (call.method !== "POST" || call.headers.has("idempotency-key")) return send(call)
    const headers = new Headers(call.headers)
    headers.set("idempotency-key", crypto.randomUUID())
    return send({ ...call, headers })
  }

function signing<Paths extends object, Document, Request extends AnyRequest>(
  base: string,
  send: Send,
  clock: Clock,
): Signing<Paths, Document, Request> {
  const look = (id: string) => (etag: string | null, signal: AbortSignal | undefined) =>
    send({
      method: "GET",
      url: `${base}/signature-requests/${encodeURIComponent(id)}`,
      headers: new Headers(etag ? { "if-none-match": etag } : {}),
      ...(signal && { signal }),
    })
  return {
    ...createVersion<Paths>(base, send),
    uploadDocument: async (document) =>
      (await mustSucceed(await send(documentUpload(base, document)))).json() as Promise<Document>,
    waitUntilSigned: (id, options = {}) => waitUntilSigned<Request>(id, look(id), clock, options),
  }
}

const planning =
  (base: string, send: Send): Planning["planSignatureRequest"] =>
  async (body, { signal } = {}) => {
    const json = JSON.stringify(body)
    const response = await send({
      method: "POST",
      url: `${base}/signature-requests?dry_run=true`,
      headers: new Headers({ "content-type": "application/json" }),
      body: { make: () => json },
      ...(signal && { signal }),
    })
    return (await mustSucceed(response)).json()
  }

function validation(base: string, send: Send): Validation {
  return {
    ...createVersion<ValidationPaths>(base, send),
    validateDocument: async (content, { signal, ...query } = {}) => {
      const asked = Object.entries(query).filter(([, value]) => value !== undefined)
      const response = await send({
        method: "POST",
        url: `${base}/validate/document?${new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))}`,
        headers: new Headers(),
        body: { make: () => formWith(content) },
        ...(signal && { signal }),
      })
      return (await mustSucceed(response)).json()
    },
  }
}
