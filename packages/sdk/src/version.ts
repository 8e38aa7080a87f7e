import createClient, { type Client } from "openapi-fetch"
import { listed } from "./lists.ts"
import type { Ask, Download, Lists } from "./operations.ts"
import { mustSucceed, type Problem, ProblemError } from "./problem.ts"
import type { Send } from "./sending.ts"

/** One version of the interface: its operations by verb and path, as its description has them. */
export type Version<Paths extends object> = {
  readonly get: Ask<Paths, "get">
  readonly post: Ask<Paths, "post">
  readonly put: Ask<Paths, "put">
  readonly patch: Ask<Paths, "patch">
  readonly delete: Ask<Paths, "delete">
  /** What is not JSON, such as a document: the answer, whose body streams. A page that is still being drawn is a 202. */
  readonly download: Download<Paths>
  /** Everything in a list, page after page, as it is asked for. */
  readonly list: Lists<Paths>
  /** openapi-fetch itself, with token and repetitions, for whoever needs the headers of an answer, such as its ETag. */
  readonly client: Client<Paths>
}

/** As our types let it through; what is in it is the description's affair. */
type Options = {
  readonly path?: Record<string, unknown>
  readonly query?: Record<string, unknown>
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

type Init = Record<string, unknown>
type Answered = { readonly data?: unknown; readonly error?: unknown; readonly response: Response }
type Untyped = { readonly request: (verb: string, path: string, init: Init) => Promise<Answered> }

export function createVersion<Paths extends object>(base: string, send: Send): Version<Paths> {
  const client = createClient<Paths>({ baseUrl: base, fetch: (request) => sent(send, request) })
  // Which options and which answer belong to a path is said once, by the types of Version.
  const { request } = client as unknown as Untyped
  const ask = async (verb: string, path: string, options: Options, more: Init = {}): Promise<Answered> => {
    const answered = await request(verb, path, { ...initOf(options), ...more })
    const { response, error } = answered
    if (!response.ok && response.status !== 304)
      throw new ProblemError(response.status, problemOf(error), response.headers)
    return answered
  }
  const asking =
    (verb: string) =>
    async (path: string, options: Options = {}) =>
      (await ask(verb, path, options)).data
  const list = (path: string, options: Options = {}) =>
    listed(async (cursor) => {
      const query = cursor === undefined ? options.query : { ...options.query, ...startingAt(path, cursor) }
      const { data, response } = await ask("get", path, { ...options, ...(query && { query }) })
      return { data, headers: response.headers }
    })
  const download = async (path: string, options: Options = {}) =>
    mustSucceed((await ask("get", path, options, { parseAs: "stream" })).response)
  const asked = {
    get: asking("get"),
    post: asking("post"),
    put: asking("put"),
    patch: asking("patch"),
    delete: asking("delete"),
    download,
    list,
  }
  return { ...(asked as unknown as Omit<Version<Paths>, "client">), client }
}

/** The journal counts on from an event; every other list has cursors of its own, which lead past pages that were numbered. */
const startingAt = (path: string, cursor: string): Record<string, unknown> =>
  path === "/events" ? { after: cursor } : { cursor, page_number: undefined }

function initOf({ path, query, headers, body, signal }: Options): Init {
  return {
    params: { ...(path && { path }), ...(query && { query }) },
    ...(signal && { signal }),
    ...(body instanceof Blob
      ? { body, bodySerializer: () => body, headers: { ...headers, "content-type": body.type } }
      : { body, headers }),
  }
}

const problemOf = (error: unknown): Partial<Problem> =>
  typeof error === "object" && error !== null ? error : {}

/** The bytes are taken once and sent as often as needed. Large documents go another way (upload.ts). */
async function sent(send: Send, request: Request): Promise<Response> {
  const { method, url, headers, signal } = request
  const bytes = request.body === null ? null : await request.arrayBuffer()
  return send({ method, url, headers, signal, ...(bytes && { body: { make: () => bytes } }) })
}
