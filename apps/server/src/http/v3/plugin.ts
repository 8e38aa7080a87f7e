import * as document from "@paraph/contract/v3/document"
import * as login from "@paraph/contract/v3/login"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"
import { needsToken } from "../caller.ts"
import { documents } from "../documents/routes.ts"
import { logins } from "../logins.ts"
import { useProblems } from "../problems.ts"

/** Version 3 of the interface, a preview. */
export async function v3(app: FastifyInstance, parts: Parts): Promise<void> {
  useProblems(app, { contentType: "application/problem+json; charset=utf-8", rootUrl: parts.publicUrl })
  needsToken(app, parts)
  logins(app, parts, login)
  documents(app, parts, document)
}
