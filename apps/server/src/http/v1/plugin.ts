import * as document from "@paraph/contract/v1/document"
import * as login from "@paraph/contract/v1/login"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"
import { needsToken } from "../caller.ts"
import { documents } from "../documents/routes.ts"
import { logins } from "../logins.ts"
import { useProblems } from "../problems.ts"

/** Version 1 of the interface, deprecated. */
export async function v1(app: FastifyInstance, parts: Parts): Promise<void> {
  useProblems(app, { contentType: "application/json; charset=utf-8", rootUrl: parts.publicUrl })
  needsToken(app, parts)
  // Part 4.1: its login is a form, in a scope of its own.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      async (_: unknown, text: string) => login.parseForm(text),
    )
    logins(scope, parts, login)
  })
  documents(app, parts, document)
}
