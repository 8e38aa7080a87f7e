import { ClosedActivitiesQuery } from "@paraph/contract/shared/activities"
import { ClosedAttachmentBody } from "@paraph/contract/shared/attachment"
import { ClosedReplayBody } from "@paraph/contract/shared/event"
import { ClosedReviewBody } from "@paraph/contract/shared/identification"
import { ClosedQualitiesQuery } from "@paraph/contract/shared/qualities"
import { ClosedReportQuery } from "@paraph/contract/shared/report"
import { ClosedNewWebhook } from "@paraph/contract/shared/webhook"
import * as document from "@paraph/contract/v3/document"
import * as login from "@paraph/contract/v3/login"
import * as sealing from "@paraph/contract/v3/seal"
import * as signature from "@paraph/contract/v3/signature"
import * as signatureRequest from "@paraph/contract/v3/signature-request"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"
import { activities } from "../activities.ts"
import { apiKeys } from "../api-keys/routes.ts"
import { attachments } from "../attachments/routes.ts"
import { auditLog } from "../audit-log/routes.ts"
import { callbacks } from "../callbacks/routes.ts"
import { needsToken } from "../caller.ts"
import { deletionReceipts } from "../deletion-receipts/routes.ts"
import { described } from "../describe/served.ts"
import { documents } from "../documents/routes.ts"
import { takesEmptyBodies } from "../empty-bodies.ts"
import { events } from "../events/routes.ts"
import { exportOfAll } from "../export/routes.ts"
import { groups } from "../groups/routes.ts"
import { holds } from "../holds/routes.ts"
import { idempotent } from "../idempotency.ts"
import { identifications } from "../identifications/routes.ts"
import { logins } from "../logins.ts"
import { mails } from "../mails/routes.ts"
import { members } from "../members/routes.ts"
import { observers } from "../observers/routes.ts"
import { useProblems } from "../problems.ts"
import { qualities } from "../qualities.ts"
import { seals } from "../seals/routes.ts"
import { seal } from "../seals/seal.ts"
import { settings } from "../settings/routes.ts"
import { drafts } from "../signature-requests/drafts.ts"
import { report } from "../signature-requests/report.ts"
import { signatureRequests } from "../signature-requests/routes.ts"
import { vouches } from "../signature-requests/vouch.ts"
import { singleSignOn } from "../single-sign-on/routes.ts"
import { templates } from "../templates/routes.ts"
import { usage } from "../usage/routes.ts"
import { preview } from "../version-headers.ts"
import { webhookDeliveries } from "../webhooks/deliveries.ts"
import { webhooks } from "../webhooks/routes.ts"

/** Version 3 of the interface, a preview. */
export async function v3(app: FastifyInstance, parts: Parts): Promise<void> {
  useProblems(app, { contentType: "application/problem+json; charset=utf-8", rootUrl: parts.publicUrl })
  needsToken(app, parts)
  takesEmptyBodies(app)
  idempotent(app, parts)
  preview(app)
  described(app, parts, "v3")
  logins(app, parts, login)
  documents(app, parts, document)
  seal(app, parts, sealing)
  seals(app, parts)
  drafts(app, parts)
  signatureRequests(app, parts, { ...signature, ...signatureRequest }, { negotiated: true })
  vouches(app, parts)
  report(app, parts, ClosedReportQuery)
  attachments(app, parts, ClosedAttachmentBody, signatureRequest)
  groups(app, parts)
  observers(app, parts)
  identifications(app, parts, ClosedReviewBody)
  callbacks(app, parts)
  webhooks(app, parts, ClosedNewWebhook)
  webhookDeliveries(app, parts)
  mails(app, parts)
  events(app, parts, ClosedReplayBody)
  settings(app, parts)
  templates(app, parts)
  usage(app, parts)
  members(app, parts)
  apiKeys(app, parts)
  auditLog(app, parts)
  holds(app, parts)
  deletionReceipts(app, parts)
  exportOfAll(app, parts)
  qualities(app, parts, ClosedQualitiesQuery)
  activities(app, parts, ClosedActivitiesQuery)
  singleSignOn(app, parts)
}
