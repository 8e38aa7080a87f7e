import { isValidIn } from "@paraph/core/account/model"
import type { Kind } from "@paraph/core/signature-request/model"
import { type View, viewSignature } from "@paraph/core/signature-request/view"
import { isUuid } from "@paraph/core/uuid"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Parts } from "../../../parts.ts"
import { enterDoor, showDoor } from "../door.ts"
import { opensIn } from "./security.ts"
import { findSignedIn } from "./session.ts"

type ById = { Params: { id: string } }

/**
 * Part 2.2 and URL-06: the address of the request itself, for account holders. Whoever is not logged in does that first,
 * whether there is such a request or not; who logged in has proved their address, and may sign. An identity provider proves an
 * address to its own business only: in a request of another business such a session is no signer and no member.
 */
export function view(app: FastifyInstance, parts: Parts): void {
  app.get<ById>("/view/:id", async (request, reply) => {
    const found = await behind(parts, request)
    if (typeof found === "string") return away(request, reply, found)
    if ("readIn" in found) return toConsole(request, reply, found.readIn)
    return showDoor(parts, request, reply, found.view, "account")
  })

  app.post<ById>("/view/:id", async (request, reply) => {
    const found = await behind(parts, request)
    if (typeof found === "string") return away(request, reply, found)
    if ("readIn" in found) return toConsole(request, reply, found.readIn)
    return enterDoor(parts, request, reply, found.view, { way: "account", accountSessionId: found.login })
  })
}

/** `next` is a path of our own and nothing else: it is made here, of the very address that was asked for. */
const away = (request: FastifyRequest, reply: FastifyReply, page: "login" | "wrong") =>
  reply
    .header("cache-control", "no-store")
    .redirect(`/account/${page}?next=${encodeURIComponent(request.url)}`, 303)

/** Who observes, or works on it: the console is where they look at it. It must know in which business, since they may be in several. */
const toConsole = (
  request: FastifyRequest<ById>,
  reply: FastifyReply,
  { businessId, kind }: { readonly businessId: string; readonly kind: Kind },
) =>
  reply
    .header("cache-control", "no-store")
    .redirect(`/console/requests/${request.params.id}?business=${businessId}&kind=${kind}`, 303)

type Behind =
  | { readonly view: View; readonly login: string }
  | { readonly readIn: { readonly businessId: string; readonly kind: Kind } }
  | "login"
  | "wrong"

async function behind(parts: Parts, request: FastifyRequest<ById>): Promise<Behind> {
  const signed = await findSignedIn(parts, request)
  if (signed === null) return "login"
  const { id } = request.params
  if (!isUuid(id)) return "wrong"
  const signers = (await parts.signaturesOf(id, signed.account.email)).filter(opensIn(signed.session))
  const views = await Promise.all(signers.map((signer) => viewSignature(parts, signer)))
  // Each entry counts as a person of its own (part 2.2): the one that can be signed now comes first.
  const view = views.find(({ screen }) => screen === "read" || screen === "working") ?? views[0]
  if (view !== undefined) return { view, login: signed.session.id }
  const readIn = await parts.memberReads(id, signed.account.id)
  return readIn !== null && isValidIn(signed.session, readIn.businessId) ? { readIn } : "wrong"
}
