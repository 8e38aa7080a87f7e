// Somebody who signs without a browser: what our pages send, and nothing else. They come by the link of the mail, as people do.
import { setTimeout as pause } from "node:timers/promises"
import { visitCscProvider } from "@paraph/trust-sandbox/csc-person"

export type Person = {
  readonly name: string
  readonly email: string
}

/** What became of it, in a word that a person would use. */
export type Deed = "signed" | "declined"

/** As much of what the pages get as a signer without eyes needs. */
type View = {
  readonly screen: string
  readonly signature: string
  readonly documents: readonly { readonly id: string; readonly place: Place }[]
  readonly consent: { readonly version: string }
  readonly factor: { readonly kinds: readonly string[]; readonly identityNeeded: boolean } | null
  readonly atProvider: {
    readonly required: boolean
    readonly providers: readonly { readonly name: string }[]
    readonly consent: { readonly version: string }
  } | null
  readonly release: {
    readonly binding: string | null
    readonly kinds: readonly string[]
    readonly provider: { readonly visit: "log-in" | "release" } | null
  } | null
}

/** Where the signature goes: as the request has it, or where the person wants it, who is told what the PDF hints at. */
type Place =
  | { readonly type: "fixed"; readonly positions: readonly object[] }
  | { readonly type: "free"; readonly hints: readonly Hint[] }

type Hint = Readonly<Record<"page" | "x" | "y" | "width" | "height", number>>

/** A code that was sent as a text message; where there is none yet, it is waited for. */
export type ReadCode = () => Promise<string | null>

export class CannotSign extends Error {}

export async function declineBy(url: string, link: string, reason: string): Promise<Deed> {
  const session = await enter(url, link)
  await session.post("/signature/decline", { reason })
  return "declined"
}

export async function signBy(url: string, link: string, person: Person, readCode: ReadCode): Promise<Deed> {
  const session = await enter(url, link)
  const view = await session.view()
  if (view.screen === "done") return "signed"
  if (view.screen !== "read") throw new CannotSign(`There is nothing to sign here: ${view.screen}.`)
  const shown = view.documents.map(({ id }) => id)
  // A certificate of their own where the request wants one; else what needs no provider.
  const [provider] = view.atProvider?.required === true ? view.atProvider.providers : []
  const { version: consentVersion } =
    provider === undefined ? view.consent : (view.atProvider ?? view).consent
  if (provider === undefined && view.factor?.identityNeeded === true)
    throw new CannotSign(
      "With a production key an advanced signature needs a name that a third party established (ADR 0090): an accepted identification, or a member who vouches. Try it with the demo key.",
    )
  if (view.factor !== null && provider === undefined && !view.factor.kinds.includes("sms"))
    throw new CannotSign("An advanced signature needs signer_identity_data with a name and a mobile_number.")
  const at = provider === undefined ? {} : { provider: provider.name }
  const seen = await lookIn(session, view)
  await session.post("/signature/sign", { name: person.name, consentVersion, shown, ...at, ...seen })
  for (let tries = 0; tries < 600; tries += 1) {
    const { screen, release } = await session.view()
    if (screen === "done" || (screen === "working" && view.factor === null && provider === undefined))
      return "signed"
    if (screen === "release" && release?.provider) await visit(session, person)
    else if (screen === "release" && release?.kinds.includes("sms"))
      await releaseBySms(session, release, readCode)
    await pause(100)
  }
  throw new CannotSign("It was not signed within a minute.")
}

/** As on the page of somebody who changes nothing there: the name in handwriting, at the first place that the PDF hints at. */
async function lookIn(session: Session, { documents }: View): Promise<object> {
  const places: { readonly documentId: string; readonly position: Hint | null }[] = []
  for (const { id, place } of documents) {
    if (place.type === "fixed") continue
    const [hint] = (await session.hints(id)) ?? place.hints
    places.push({ documentId: id, position: hint === undefined ? null : positionOf(hint) })
  }
  const isFixed = documents.some(({ place }) => place.type === "fixed" && place.positions.length > 0)
  const isSeen = isFixed || places.some(({ position }) => position !== null)
  return {
    ...(isSeen && { look: { type: "typed", font: "caveat" } }),
    ...(places.length > 0 && { places }),
  }
}

const positionOf = ({ page, x, y, width, height }: Hint): Hint => ({ page, x, y, width, height })

/** To the provider, with the name that the certificate shall have, and back. */
async function visit(session: Session, { email }: Person): Promise<void> {
  const going = await session.post("/signature/release/provider", {})
  const { url } = (await going.json()) as { url: string }
  const { back } = await visitCscProvider(url, { login: email })
  await session.come(back, going.headers.getSetCookie())
}

async function releaseBySms(
  session: Session,
  { binding }: NonNullable<View["release"]>,
  readCode: ReadCode,
): Promise<void> {
  await session.post("/signature/release/sms", {})
  for (let tries = 0; tries < 300; tries += 1) {
    const code = await readCode()
    if (code !== null) {
      await session.post("/signature/release/sms/check", { code, binding })
      return
    }
    await pause(100)
  }
  throw new CannotSign("The code by text message did not come.")
}

type Session = Awaited<ReturnType<typeof enter>>

/** Presses the button at the door and keeps the session that it gives. */
async function enter(url: string, link: string) {
  const { pathname, hash } = new URL(link)
  const door = await fetch(new URL(pathname, url), {
    method: "POST",
    redirect: "manual",
    headers: { origin: url, ...(hash !== "" && { "paraph-link": hash.slice(1) }) },
  })
  const cookie = /^[^;]+/.exec(door.headers.get("set-cookie") ?? "")?.[0]
  if (cookie === undefined) throw new CannotSign(`The link opens nothing (${door.status}).`)
  const view = async (): Promise<View> => {
    const answer = await fetch(`${url}/app/api/signature`, { headers: { cookie } })
    if (!answer.ok) throw new CannotSign(`The page answered ${answer.status}.`)
    return (await answer.json()) as View
  }
  const { signature } = await view()
  return {
    view,
    hints: async (documentId: string): Promise<readonly Hint[] | null> => {
      const answer = await fetch(`${url}/app/api/documents/${documentId}/hints`, { headers: { cookie } })
      return answer.ok ? ((await answer.json()) as { readonly hints: readonly Hint[] }).hints : null
    },
    post: async (path: string, body: object): Promise<Response> => {
      const answer = await fetch(`${url}/app/api${path}`, {
        method: "POST",
        headers: { cookie, origin: url, "paraph-signature": signature, "content-type": "application/json" },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new CannotSign(`${path} answered ${answer.status}: ${await answer.text()}`)
      return answer
    },
    /** Back from somewhere else, with the cookies that the way there gave. */
    come: async (back: URL, given: readonly string[]): Promise<void> => {
      const held = given.map((set) => /^[^;]+/.exec(set)?.[0] ?? "")
      await fetch(new URL(back.pathname + back.search, url), {
        redirect: "manual",
        headers: { cookie: [cookie, ...held].join("; ") },
      })
    },
  }
}
