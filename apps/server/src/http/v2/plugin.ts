import { ActivitiesQuery } from "@paraph/contract/shared/activities"
import { AttachmentBody } from "@paraph/contract/shared/attachment"
import { ReplayBody } from "@paraph/contract/shared/event"
import { ReviewBody } from "@paraph/contract/shared/identification"
import { QualitiesQuery } from "@paraph/contract/shared/qualities"
import { ReportQuery } from "@paraph/contract/shared/report"
import { NewWebhook } from "@paraph/contract/shared/webhook"
import * as document from "@paraph/contract/v2/document"
import * as login from "@paraph/contract/v2/login"
import * as sealing from "@paraph/contract/v2/seal"
import * as signature from "@paraph/contract/v2/signature"
import * as signatureRequest from "@paraph/contract/v2/signature-request"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"
import { activities } from "../activities.ts"
import { attachments } from "../attachments/routes.ts"
import { callbacks } from "../callbacks/routes.ts"
import { needsToken } from "../caller.ts"
import { described } from "../describe/served.ts"
import { documents } from "../documents/routes.ts"
import { takesEmptyBodies } from "../empty-bodies.ts"
import { events } from "../events/routes.ts"
import { idempotent } from "../idempotency.ts"
import { identifications } from "../identifications/routes.ts"
import { logins } from "../logins.ts"
import { useProblems } from "../problems.ts"
import { qualities } from "../qualities.ts"
import { seal } from "../seals/seal.ts"
import { inlineRequests } from "../signature-requests/inline.ts"
import { report } from "../signature-requests/report.ts"
import { signatureRequests } from "../signature-requests/routes.ts"
import { webhooks } from "../webhooks/routes.ts"

/** Version 2 of the interface, current and stable. */
export async function v2(app: FastifyInstance, parts: Parts): Promise<void> {
  useProblems(app, { contentType: "application/json; charset=utf-8", rootUrl: parts.publicUrl })
  needsToken(app, parts)
  takesEmptyBodies(app)
  idempotent(app, parts)
  described(app, parts, "v2")
  logins(app, parts, login)
  documents(app, parts, document)
  seal(app, parts, sealing)
  inlineRequests(app, parts, signatureRequest)
  signatureRequests(app, parts, { ...signature, ...signatureRequest }, { negotiated: false })
  report(app, parts, ReportQuery)
  attachments(app, parts, AttachmentBody, signatureRequest)
  identifications(app, parts, ReviewBody)
  callbacks(app, parts)
  webhooks(app, parts, NewWebhook)
  events(app, parts, ReplayBody)
  qualities(app, parts, QualitiesQuery)
  activities(app, parts, ActivitiesQuery)
}
