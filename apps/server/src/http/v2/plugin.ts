import * as document from "@paraph/contract/v2/document"
import * as login from "@paraph/contract/v2/login"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"
import { needsToken } from "../caller.ts"
import { documents } from "../documents/routes.ts"
import { logins } from "../logins.ts"
import { useProblems } from "../problems.ts"
import { signatureRequests } from "./signature-requests.ts"

/** Version 2 of the interface, current and stable. */
export async function v2(app: FastifyInstance, parts: Parts): Promise<void> {
  useProblems(app, { contentType: "application/json; charset=utf-8", rootUrl: parts.publicUrl })
  needsToken(app, parts)
  logins(app, parts, login)
  documents(app, parts, document)
  signatureRequests(app, parts)
}
