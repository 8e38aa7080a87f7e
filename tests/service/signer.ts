import { type Answer, call } from "./api.ts"

/** Somebody who signs without a browser, as fast as a machine: what the pages send, and nothing else. */
export type Signer = {
  readonly view: () => Promise<Answer>
  /** The last button; a 202 means that the press is kept. */
  readonly press: (name: string) => Promise<Answer>
  readonly decline: (reason: string) => Promise<Answer>
}

/** Presses "Open document" at the door and keeps the session that it gives. */
export async function openSession(url: string, link: string): Promise<Signer> {
  const door = await pressDoor(url, link)
  const cookie = /^[^;]+/.exec(door.headers.get("set-cookie") ?? "")?.[0]
  if (cookie === undefined) throw new Error(`The door answered ${door.status} and opened no session.`)
  const view = () => call(url, "GET", "/app/api/signature", undefined, { cookie })
  const { body } = await view()
  const consentVersion = body.consent.version as string
  const shown = (body.documents as { id: string }[]).map((document) => document.id)
  const headers = { cookie, origin: url }
  return {
    view,
    decline: (reason) => call(url, "POST", "/app/api/signature/decline", { reason }, headers),
    press: (name) => call(url, "POST", "/app/api/signature/sign", { name, consentVersion, shown }, headers),
  }
}

export const pressDoor = (url: string, link: string): Promise<Answer> =>
  call(url, "POST", new URL(link).pathname, undefined, { origin: url })
