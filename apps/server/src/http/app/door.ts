import type { Signer } from "@paraph/core/login/signer"
import { type View, viewSignature } from "@paraph/core/signature-request/view"
import type { FastifyInstance, FastifyReply } from "fastify"
import type { Parts } from "../../parts.ts"
import { hashOf } from "../../secrets.ts"
import { addressee } from "./addressee.ts"
import { DOOR_CSS, DOOR_CSS_PATH } from "./door-css.ts"
import { doorPage, MESSAGES, messagePage, notYourTurn } from "./pages.ts"
import { mustBeOurPage, openSession } from "./session.ts"

type ByToken = { Params: { token: string } }

/**
 * The door: plain HTML. A GET changes nothing, so that mail scanners and chat previews can open it as often as
 * they like; the human's POST opens a session, and the token is gone from the address.
 */
export function door(app: FastifyInstance, parts: Parts): void {
  app.get(DOOR_CSS_PATH, async (_, reply) =>
    reply.type("text/css").header("cache-control", "max-age=3600").send(DOOR_CSS),
  )

  doorAt(app, parts, "/sign", (token) => parts.findLink(hashOf(token)))
  // Part 4.5: a signer without an account is taken to a preview page of the document, by an address of their own.
  doorAt(app, parts, "/preview", async (token) => {
    const signatureId = parts.previewLinks.signatureIn(token)
    return signatureId === null ? null : parts.findSigner(signatureId)
  })

  // The address of the request itself is for account holders (part 2.2); everybody else has a personal link.
  app.get("/view/:id", async (_, reply) => page(reply, messagePage(MESSAGES.noSession)))
}

function doorAt(
  app: FastifyInstance,
  parts: Parts,
  path: "/sign" | "/preview",
  find: (token: string) => Promise<Signer | null>,
): void {
  const behind = async (token: string): Promise<View | null> => {
    const signer = await find(token)
    const view = signer === null ? null : await viewSignature(parts, signer)
    // Who has an account is not known by an address that stands in the answers of the interface.
    return path === "/preview" && view?.signature.identity === null ? null : view
  }

  app.get<ByToken>(`${path}/:token`, async (request, reply) => {
    const view = await behind(request.params.token)
    if (view === null) return page(reply.code(404), messagePage(MESSAGES.unknownLink))
    return page(reply, await doorOrMessage(parts, view, `${path}/${request.params.token}`))
  })

  app.post<ByToken>(`${path}/:token`, async (request, reply) => {
    mustBeOurPage(parts, request, "door")
    const view = await behind(request.params.token)
    if (view === null) return page(reply.code(404), messagePage(MESSAGES.unknownLink))
    if (view.screen !== "read" && view.screen !== "working")
      return reply.redirect(`${path}/${request.params.token}`, 303)
    const { request: of, signature } = view
    const signer = { businessId: of.businessId, requestId: of.id, signatureId: signature.id }
    await openSession(parts, reply, signer, path === "/preview")
    return reply.redirect("/app/", 303)
  })
}

async function doorOrMessage(parts: Parts, view: View, postTo: string): Promise<string> {
  const { request, signature } = view
  const demo = request.kind === "demo"
  switch (view.screen) {
    case "done":
      return messagePage({ ...MESSAGES.alreadySigned, demo })
    case "declined":
      return messagePage({ ...MESSAGES.declined, demo })
    case "ended":
      return messagePage({ ...MESSAGES.ended, demo })
    case "not-your-turn":
      return messagePage({ ...notYourTurn(before(view)), demo })
    default: {
      const sender = await parts.businessName(request.businessId)
      const { title, message } = request
      return doorPage({ sender, title, message, demo, signerEmail: addressee(signature), postTo })
    }
  }
}

/** How many people with an earlier place have not signed yet. */
const before = ({ request, signature }: View): number =>
  request.signatures.filter((s) => s.state === "open" && s.place !== null && s.place < (signature.place ?? 0))
    .length

const page = (reply: FastifyReply, html: string) =>
  reply
    .type("text/html; charset=utf-8")
    .header("cache-control", "no-store")
    .header("x-robots-tag", "noindex")
    .send(html)
