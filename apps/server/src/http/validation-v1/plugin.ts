import * as login from "@paraph/contract/validation-v1/login"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"
import { needsToken } from "../caller.ts"
import { described } from "../describe/served.ts"
import { takesEmptyBodies } from "../empty-bodies.ts"
import { idempotent } from "../idempotency.ts"
import { logins } from "../logins.ts"
import { useProblems } from "../problems.ts"
import { credits } from "./credits.ts"
import { infos } from "./infos.ts"
import { reports } from "./reports.ts"
import { validations } from "./validations.ts"

/** Part 4.6: the validation interface. The same tokens open it (VAL-07). */
export async function validationV1(app: FastifyInstance, parts: Parts): Promise<void> {
  useProblems(app, { contentType: "application/problem+json; charset=utf-8", rootUrl: parts.publicUrl })
  needsToken(app, parts)
  takesEmptyBodies(app)
  idempotent(app, parts)
  described(app, parts, "validation-v1")
  // Decisions, "login": JSON or a form, in a scope of its own.
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      async (_: unknown, text: string) => login.parseForm(text),
    )
    logins(scope, parts, login)
  })
  validations(app, parts)
  infos(app, parts)
  reports(app, parts)
  credits(app, parts)
}
