export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
  readonly bytes: Buffer
}
// biome-ignore lint/suspicious/noExplicitAny: the tests look into answers as an integrator does, and the schema is checked elsewhere.
export type Json = any

export type Api = {
  readonly token: string
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answer>
  readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>
}

/** An integrator's client: plain HTTP, nothing of ours. */
export async function createApi(url: string, username: string, apiKey: string): Promise<Api> {
  const login = await call(url, "POST", "/v2/access/login", { username, "api-key": apiKey }, {})
  if (login.status !== 200) throw new Error(`login answered ${login.status}`)
  const token = login.bytes.toString()
  const authorization = { authorization: `Bearer ${token}` }
  return {
    token,
    get: (path, headers = {}) => call(url, "GET", path, undefined, { ...authorization, ...headers }),
    post: (path, body, headers = {}) => call(url, "POST", path, body, { ...authorization, ...headers }),
  }
}

export async function call(
  url: string,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    redirect: "manual",
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = /json/.test(response.headers.get("content-type") ?? "")
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    body: isJson ? JSON.parse(bytes.toString()) : null,
  }
}
