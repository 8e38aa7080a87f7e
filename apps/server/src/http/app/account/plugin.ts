import type { FastifyInstance } from "fastify"
import type { Parts } from "../../../parts.ts"
import { invitations } from "./invitations.ts"
import { logins } from "./logins.ts"
import { pages } from "./pages.ts"
import { passkeys } from "./passkeys.ts"
import { security } from "./security.ts"
import { singleSignOn } from "./single-sign-on.ts"
import { view } from "./view.ts"

/** Where people have accounts of their own (ADR 0030). */
export function account(app: FastifyInstance, parts: Parts): void {
  pages(app)
  logins(app, parts)
  passkeys(app, parts)
  singleSignOn(app, parts)
  security(app, parts)
  invitations(app, parts)
  view(app, parts)
}
