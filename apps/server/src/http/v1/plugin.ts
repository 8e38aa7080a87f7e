import { ReportQuery } from "@paraph/contract/shared/report"
import * as document from "@paraph/contract/v1/document"
import * as login from "@paraph/contract/v1/login"
import * as sealing from "@paraph/contract/v1/seal"
import * as signature from "@paraph/contract/v1/signature"
import * as signatureRequest from "@paraph/contract/v1/signature-request"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"
import { callbacks } from "../callbacks/routes.ts"
import { needsToken } from "../caller.ts"
import { described } from "../describe/served.ts"
import { documents } from "../documents/routes.ts"
import { takesEmptyBodies } from "../empty-bodies.ts"
import { idempotent } from "../idempotency.ts"
import { logins } from "../logins.ts"
import { useProblems } from "../problems.ts"
import { seal } from "../seals/seal.ts"
import { inlineRequests } from "../signature-requests/inline.ts"
import { report } from "../signature-requests/report.ts"
import { signatureRequests } from "../signature-requests/routes.ts"
import { deprecated } from "../version-headers.ts"

/** Version 1 of the interface, deprecated. */
export async function v1(app: FastifyInstance, parts: Parts): Promise<void> {
  useProblems(app, { contentType: "application/json; charset=utf-8", rootUrl: parts.publicUrl })
  needsToken(app, parts)
  takesEmptyBodies(app)
  idempotent(app, parts)
  deprecated(app, parts)
  described(app, parts, "v1")
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
  seal(app, parts, sealing)
  inlineRequests(app, parts, signatureRequest)
  signatureRequests(app, parts, { ...signature, ...signatureRequest }, { negotiated: false })
  report(app, parts, ReportQuery)
  callbacks(app, parts)
}
