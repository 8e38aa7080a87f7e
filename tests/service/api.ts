import { mustBeDescribed } from "./described.ts"

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
  readonly bytes: Buffer
}
// biome-ignore lint/suspicious/noExplicitAny: the tests look into answers as an integrator does, and the schema is checked elsewhere.
export type Json = any

/** For tests with a table: what is shown for each of them is shown for the whole of a rule. */
export const VERSIONS = ["v1", "v2", "v3"] as const
export type Version = (typeof VERSIONS)[number]

type SentHeaders = Readonly<Record<string, string>>

export type Api = {
  readonly token: string
  readonly get: (path: string, headers?: SentHeaders) => Promise<Answer>
  readonly head: (path: string, headers?: SentHeaders) => Promise<Answer>
  readonly post: (path: string, body: unknown, headers?: SentHeaders) => Promise<Answer>
  readonly put: (path: string, body: unknown, headers?: SentHeaders) => Promise<Answer>
  readonly patch: (path: string, body: unknown, headers?: SentHeaders) => Promise<Answer>
  readonly delete: (path: string, headers?: SentHeaders) => Promise<Answer>
}

/** An integrator's client: plain HTTP, nothing of ours. */
export async function createApi(url: string, username: string, apiKey: string): Promise<Api> {
  const login = await call(url, "POST", "/v2/access/login", { username, "api-key": apiKey }, {})
  if (login.status !== 200) throw new Error(`The login answered ${login.status}: ${login.bytes}`)
  return withToken(url, login.bytes.toString())
}

/** The same for somebody who has logged in already. */
export function withToken(url: string, token: string): Api {
  const ask = (method: string, path: string, body: unknown, headers: SentHeaders = {}) =>
    call(url, method, path, body, { authorization: `Bearer ${token}`, ...headers })
  return {
    token,
    get: (path, headers) => ask("GET", path, undefined, headers),
    head: (path, headers) => ask("HEAD", path, undefined, headers),
    post: (path, body, headers) => ask("POST", path, body, headers),
    put: (path, body, headers) => ask("PUT", path, body, headers),
    patch: (path, body, headers) => ask("PATCH", path, body, headers),
    delete: (path, headers) => ask("DELETE", path, undefined, headers),
  }
}

/** Text and bytes are sent as they are; anything else as JSON. */
export async function call(
  url: string,
  method: string,
  path: string,
  body: unknown,
  headers: SentHeaders,
): Promise<Answer> {
  const asIs = typeof body === "string" || body instanceof Uint8Array
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: asIs ? (body as string) : JSON.stringify(body) }),
    redirect: "manual",
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = bytes.length > 0 && /json/.test(response.headers.get("content-type") ?? "")
  const answer = {
    status: response.status,
    headers: response.headers,
    bytes,
    body: isJson ? JSON.parse(bytes.toString()) : null,
  }
  mustBeDescribed(method, path, answer)
  return answer
}
