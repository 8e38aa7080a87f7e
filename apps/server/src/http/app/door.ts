import type { Signer } from "@paraph/core/login/signer"
import { readArrival } from "@paraph/core/signature-request/exits"
import { type Kind, statusOf } from "@paraph/core/signature-request/model"
import { type View, viewSignature } from "@paraph/core/signature-request/view"
import { inWords } from "@paraph/mail/date-words"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Parts } from "../../parts.ts"
import { hashOf } from "../../secrets.ts"
import { mustHaveLeft } from "../rate-limits.ts"
import { addressee } from "./addressee.ts"
import { shownOf } from "./branding.ts"
import { filesFor } from "./built-files.ts"
import { DOOR_CSS, DOOR_CSS_PATH } from "./door-css.ts"
import { DOOR_WORDS, type DoorWords, type Message } from "./door-words.ts"
import { allowFrames } from "./frames.ts"
import { LANDING_SCRIPT, LANDING_SCRIPT_PATH, LINK_HEADER } from "./landing-script.ts"
import { languageFor } from "./language.ts"
import { doorPage, type Frame, landingPage, messagePage } from "./pages.ts"
import { type Came, isOpenAlready, openSession } from "./session.ts"

type ByToken = { Params: { token: string } }

/**
 * The door: plain HTML. A GET changes nothing, so that mail scanners and chat previews can open it as often as
 * they like; the human's POST opens a session, and the token is gone from the address.
 */
export function door(app: FastifyInstance, parts: Parts): void {
  app.get(DOOR_CSS_PATH, async (_, reply) =>
    reply.type("text/css").header("cache-control", "max-age=3600").send(DOOR_CSS),
  )

  landing(app, parts)
  // Links of mails that were sent before the secret moved to the fragment (ADR 0099).
  doorAt(app, parts, "/sign", (token) => parts.findLink(hashOf(token)))
  // Part 4.5: a signer without an account is taken to a preview page of the document, by an address of their own.
  doorAt(app, parts, "/preview", async (token) => {
    const signatureId = parts.previewLinks.signatureIn(token)
    return signatureId === null ? null : parts.findSigner(signatureId)
  })
}

/** What a mailed link opens: its secret is in the fragment, and comes in a header (ADR 0099). */
function landing(app: FastifyInstance, parts: Parts): void {
  app.get(LANDING_SCRIPT_PATH, async (_, reply) =>
    reply.type("text/javascript").header("cache-control", "max-age=3600").send(LANDING_SCRIPT),
  )
  for (const path of ["/sign", "/sign/"])
    app.get(path, async (request, reply) => page(reply, landingPage(frameOf(request, null))))

  const behind = async (request: FastifyRequest): Promise<View | null> => {
    const token = request.headers[LINK_HEADER]
    const signer = typeof token === "string" ? await parts.findLink(hashOf(token)) : null
    return signer === null ? null : viewSignature(parts, signer)
  }
  const inFragment = (request: FastifyRequest) => {
    const query = request.url.split(/\?(.*)/s, 2)[1]
    return `/sign/${query ? `?${query}` : ""}#${request.headers[LINK_HEADER]}`
  }
  app.post("/sign/show", async (request, reply) => {
    const view = await behind(request)
    return view === null
      ? showMessage(request, reply.code(404), "unknownLink")
      : showDoor(parts, request, reply, view, "link", inFragment(request))
  })
  app.post("/sign/", async (request, reply) => {
    const view = await behind(request)
    if (view === null) return showMessage(request, reply.code(404), "unknownLink")
    return mayEnter(view, "link")
      ? enterDoor(parts, request, reply, view, { way: "link" })
      : showDoor(parts, request, reply.code(409), view, "link", inFragment(request))
  })
}

function doorAt(
  app: FastifyInstance,
  parts: Parts,
  path: "/sign" | "/preview",
  find: (token: string) => Promise<Signer | null>,
): void {
  const way = path === "/sign" ? "link" : "preview"
  const behind = async (token: string): Promise<View | null> => {
    const signer = await find(token)
    const view = signer === null ? null : await viewSignature(parts, signer)
    // Who has an account is not known by an address that stands in the answers of the interface.
    return path === "/preview" && view?.signature.identity === null ? null : view
  }

  app.get<ByToken>(`${path}/:token`, async (request, reply) => {
    const view = await behind(request.params.token)
    return view === null
      ? showMessage(request, reply.code(404), "unknownLink")
      : showDoor(parts, request, reply, view, way)
  })

  app.post<ByToken>(`${path}/:token`, async (request, reply) => {
    const view = await behind(request.params.token)
    return view === null
      ? showMessage(request, reply.code(404), "unknownLink")
      : enterDoor(parts, request, reply, view, { way })
  })
}

/** The person's press: a session that knows what the address had behind it, and the bare address of the application. */
export async function enterDoor(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  view: View,
  came: Came,
) {
  const { request: of, signature, documents } = view
  if (!mayEnter(view, came.way)) return reply.redirect(request.url, 303)
  mustHaveLeft(reply, parts.rates.ofDoor(`${signature.id} ${came.way}`))
  const signer = { businessId: of.businessId, requestId: of.id, signatureId: signature.id }
  const arrived = { ...came, arrival: readArrival(queryOf(request), of.kind) }
  // Whoever presses twice is in already: no second session, and no second evidence of it.
  if (!(await isOpenAlready(parts, request, signer, arrived)))
    await openSession(parts, reply, signer, arrived)
  parts.drawAhead(documents[0])
  return reply.redirect("/app/", 303)
}

/** The form posts to the very address that was opened, with all that is behind it. */
export async function showDoor(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  view: View,
  way: Came["way"],
  address = request.url,
) {
  const { request: of, signature } = view
  await allowFrames(parts, reply, of.businessId)
  const brand = await parts.brandOf(of.businessId)
  const frame = { ...frameOf(request, view, address), brand: { ...shownOf(brand), name: brand.name } }
  const message = messageOf(view, DOOR_WORDS[frame.language], frame)
  if (message !== null) return page(reply, messagePage(frame, message, backIn(view, way, frame, address)))
  parts.drawAhead(view.documents[0])
  const { title, message: said } = of
  return page(
    reply,
    doorPage({
      ...frame,
      sender: brand.name,
      title,
      message: said,
      documentCount: signature.marks.length,
      lastDay: of.expiresAt?.date ?? null,
      signerEmail: addressee(signature),
      postTo: address,
      soon: filesFor(frame.language),
    }),
  )
}

/** Whoever has signed comes back for their copy, as long as it is theirs to have, and not by an address that others read. */
function mayEnter({ screen, request }: View, way: Came["way"]): boolean {
  if (screen === "done") return way !== "preview" && ["OPEN", "SIGNED"].includes(statusOf(request))
  return screen === "read" || screen === "working"
}

const backIn = (view: View, way: Came["way"], { language }: Frame, postTo: string) =>
  mayEnter(view, way) ? { postTo, name: DOOR_WORDS[language].seeSigned } : null

export const showMessage = (
  request: FastifyRequest,
  reply: FastifyReply,
  which: "unknownLink" | "noSession",
) => {
  const frame = frameOf(request, null)
  return page(reply, messagePage(frame, DOOR_WORDS[frame.language][which]))
}

function frameOf(request: FastifyRequest, view: View | null, address = request.url): Frame {
  const kind: Kind = view?.request.kind ?? "production"
  const asked = readArrival(queryOf(request), kind).language
  return {
    language: languageFor(request, asked, view?.signature.language ?? null),
    demo: kind === "demo",
    addressIn: (language) => inLanguage(address, language),
  }
}

/** The same address with another `lang`; the rest of what is behind it stays as it was written. */
function inLanguage(address: string, language: string): string {
  const [before = "", fragment] = address.split(/#(.*)/s, 2)
  const [path = "", query = ""] = before.split(/\?(.*)/s, 2)
  const others = query.split("&").filter((each) => each !== "" && !/^lang(=|$)/i.test(each))
  return `${path}?${[...others, `lang=${language}`].join("&")}${fragment === undefined ? "" : `#${fragment}`}`
}

function messageOf(view: View, words: DoorWords, { language }: Frame): Message | null {
  switch (view.screen) {
    case "done":
      return words.alreadySigned
    case "declined":
      return words.declined
    case "ended":
      return endOf(view, words, language)
    case "not-your-turn":
      return words.notYourTurn(before(view))
    default:
      return null
  }
}

function endOf({ request }: View, words: DoorWords, language: Frame["language"]): Message {
  switch (statusOf(request)) {
    case "DECLINED":
      return words.declined
    case "WITHDRAWN":
      return words.withdrawn
    case "EXPIRED": {
      const date = request.expiresAt?.date ?? null
      return words.expired(date === null ? null : inWords(date, language))
    }
    default:
      return words.ended
  }
}

/** How many people with an earlier place have not signed yet. */
const before = ({ request, signature }: View): number =>
  request.signatures.filter((s) => s.state === "open" && s.place !== null && s.place < (signature.place ?? 0))
    .length

const queryOf = ({ query }: FastifyRequest) => query as Readonly<Record<string, unknown>>

const page = (reply: FastifyReply, html: string) =>
  reply
    .type("text/html; charset=utf-8")
    .header("cache-control", "no-store")
    .header("x-robots-tag", "noindex")
    .send(html)
