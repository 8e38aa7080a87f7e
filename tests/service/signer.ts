import { type Answer, call } from "./api.ts"

/** Somebody who signs without a browser, as fast as a machine: what the pages send, and nothing else. */
export type Signer = {
  readonly view: () => Promise<Answer>
  /** The last button; a 202 means that the press is kept. */
  readonly press: (name: string, chosen?: Chosen) => Promise<Answer>
  /** Sends a picture to sign with. */
  readonly picture: (bytes: Uint8Array, contentType?: string) => Promise<Answer>
  /** Anything else that the pages fetch, below /app/api. */
  readonly get: (path: string) => Promise<Answer>
  /** And anything that they send. */
  readonly post: (path: string, body?: object) => Promise<Answer>
  readonly decline: (reason: string) => Promise<Answer>
  /** What the pages fetch of a document. */
  readonly content: (documentId: string) => Promise<Answer>
  readonly page: (documentId: string) => Promise<Answer>
}

/** What is shown, and where; neither unless given. */
export type Chosen = { readonly look?: object; readonly places?: readonly object[] }

/** Presses "Open document" at the door and keeps the session that it gives. */
export async function openSession(url: string, link: string): Promise<Signer> {
  const door = await pressDoor(url, link)
  const cookie = /^[^;]+/.exec(door.headers.get("set-cookie") ?? "")?.[0]
  if (cookie === undefined) throw new Error(`The door answered ${door.status} and opened no session.`)
  const view = () => call(url, "GET", "/app/api/signature", undefined, { cookie })
  const { status, body } = await view()
  if (body?.consent === undefined)
    throw new Error(`The session shows nothing to sign: ${status} ${JSON.stringify(body)}`)
  const consentVersion = body.consent.version as string
  const shown = (body.documents as { id: string }[]).map((document) => document.id)
  const headers = { cookie, origin: url, "paraph-signature": body.signature as string }
  const get = (path: string) => call(url, "GET", `/app/api/documents/${path}`, undefined, { cookie })
  return {
    view,
    content: (documentId) => get(`${documentId}/content`),
    page: (documentId) => get(`${documentId}/pages/0?width=400`),
    decline: (reason) => call(url, "POST", "/app/api/signature/decline", { reason }, headers),
    press: (name, chosen = {}) =>
      call(url, "POST", "/app/api/signature/sign", { name, consentVersion, shown, ...chosen }, headers),
    picture: (bytes, contentType = "image/png") =>
      call(url, "POST", "/app/api/signature/picture", bytes, { ...headers, "content-type": contentType }),
    get: (path) => call(url, "GET", `/app/api${path}`, undefined, { cookie }),
    post: (path, body = {}) => call(url, "POST", `/app/api${path}`, body, headers),
  }
}

export const pressDoor = (url: string, link: string): Promise<Answer> =>
  call(url, "POST", new URL(link).pathname, undefined, { origin: url, ...secretOf(link) })

/** What the page of a mailed link sends: the secret of its fragment, in a header. */
export function secretOf(link: string): Record<string, string> {
  const { hash } = new URL(link, "http://localhost")
  return hash === "" ? {} : { "paraph-link": hash.slice(1) }
}

/** The same link as mails had it before: with the secret in its path. Such links work until they end. */
export const pathOf = (link: string): string => new URL(link.replace("/sign/#", "/sign/")).pathname
