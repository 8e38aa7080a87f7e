import createClient, { type Middleware } from "openapi-fetch"
import { bearer, dropToken } from "../session/tokens.ts"
import { type Problem, ProblemError } from "./problem.ts"
import type { paths } from "./v3.d.ts"

export const withToken: Middleware = {
  async onRequest({ request }) {
    request.headers.set("authorization", `Bearer ${await bearer()}`)
    return request
  },
  onResponse({ response }) {
    // The next call asks for a new one; whoever is signed out is sent to sign in by that.
    if (response.status === 401) dropToken()
  },
}

/** Everything that the console does to requests goes through the public interface. */
export const api = createClient<paths>({ baseUrl: "/v3" })
api.use(withToken)

type Answered<T> = { readonly data?: T; readonly error?: unknown; readonly response: Response }

/** The answer, or what was refused, thrown. */
export function must<T>({ data, error, response }: Answered<T>): T {
  if (!response.ok) throw new ProblemError((error ?? {}) as Problem, response.headers)
  return data as T
}

/** Bytes of the interface, such as a page or a document. */
export const fetchBytes = (path: string, accept: string, signal?: AbortSignal): Promise<Response> =>
  fetchAt(`/v3${path}`, accept, signal)

export async function fetchAt(address: string, accept: string, signal?: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${await bearer()}`, accept }
  const response = await fetch(address, { headers, ...(signal && { signal }) })
  if (!response.ok)
    throw new ProblemError((await response.json().catch(() => ({}))) as Problem, response.headers)
  return response
}
