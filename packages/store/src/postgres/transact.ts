import type { CallbacksTx } from "@paraph/core/callback/ports"
import type { Read, Transact, Tx } from "@paraph/core/ports"
import type { ReleasesTx } from "@paraph/core/release/ports"
import type { Kind } from "@paraph/core/signature-request/model"
import type { WebhooksTx } from "@paraph/core/webhook/ports"
import type { Enqueue, WriteToMember } from "../jobs/enqueue.ts"
import { isAccount, isAdministrator, isMember, isUser } from "./accounts.ts"
import { listActivities } from "./activities.ts"
import { listKeys } from "./api-keys.ts"
import * as attachments from "./attachments.ts"
import { readAuditOf } from "./audit-log.ts"
import * as branding from "./branding.ts"
import { callbacksOf, replayCallback } from "./callbacks.ts"
import * as mails from "./captured-mails.ts"
import { changingCredits, readingCredits } from "./credits.ts"
import type { Database, Trx } from "./database.ts"
import { listDocuments } from "./document-list.ts"
import type { DetailsSealer } from "./document-rows.ts"
import * as documents from "./documents.ts"
import { changingStories, readingStories } from "./erasures.ts"
import { appendEvidence, type StorySealer } from "./evidence.ts"
import { exportPage } from "./export-pages.ts"
import * as groups from "./groups.ts"
import { marked } from "./idempotency.ts"
import * as identifications from "./identifications.ts"
import { findIntent, type IntentSealer, keepIntent, keepStamp, keepValue } from "./intents.ts"
import { appendJournal, eventsAfter } from "./journal.ts"
import * as looks from "./looks.ts"
import { managed } from "./managed.ts"
import { listMembers } from "./members.ts"
import { memberEmail } from "./observers.ts"
import { ofTheBusiness } from "./of-the-business.ts"
import { saveProvenName } from "./proven-names.ts"
import * as releases from "./releases.ts"
import { changingRemoteSignings, readingRemoteSignings } from "./remote-signings.ts"
import { listRequests } from "./request-list.ts"
import { changingProtocols, readingProtocols } from "./request-protocols.ts"
import { readsRequestOf } from "./request-readers.ts"
import { removeRequest } from "./request-removal.ts"
import { findRequest, findRequests, insertRequest, saveRequest } from "./requests.ts"
import { changingSeals, type EnqueueSealing, readingSeals } from "./sealing-parts.ts"
import { servedPages } from "./served-pages.ts"
import * as settings from "./settings.ts"
import { addToday, findCode, saveCode } from "./signer-codes.ts"
import { countSessions, insertLink, insertSession, proveSession, sessionLanguage } from "./signers.ts"
import { findStory } from "./stories.ts"
import * as templates from "./templates.ts"
import * as usage from "./usage.ts"
import { changingValidations, type ResultSealer, readingValidations } from "./validations.ts"
import { replayEvents } from "./webhook-deliveries.ts"
import { listDeliveries, replayDelivery } from "./webhook-delivery-list.ts"
import * as webhooks from "./webhooks.ts"

/** Whatever of a document is in a row, but for its title and its numbers, is sealed with the document's key. */
export type RowSealer = DetailsSealer &
  IntentSealer &
  attachments.AttachmentSealer &
  looks.LookSealer &
  mails.MailSealer &
  ResultSealer &
  StorySealer &
  webhooks.SecretsSealer

/** One transaction in the name of one business: it reads and writes that business's rows and no others. */
export const createTransact =
  ({ db, enqueue, sealer, writeToMember, enqueueSealing, timeZone = "UTC" }: TransactParts): Transact =>
  (businessId, work) =>
    ofTheBusiness(db, "write", businessId, (trx) =>
      marked(trx, work, {
        insertDocument: async (document, as) => {
          await documents.insertDocument(trx, sealer, document)
          if (as !== "version") await usage.countDocument(trx, timeZone, document)
        },
        findDocument: (id) => documents.findDocument(trx, sealer, businessId, id, "share"),
        lockDocument: (id) => documents.findDocument(trx, sealer, businessId, id, "update"),
        saveAccess: (document) => documents.saveAccess(trx, document),
        removeDocument: (document, at) => documents.removeDocument(trx, document, at),
        requestsWith: (documentId) => documents.requestsWith(trx, businessId, documentId),
        lockRequest: (id) => findRequest(trx, businessId, id, true),
        saveRequest: (request, before) => saveRequest(trx, request, before),
        removeRequest: (request, at) => removeRequest(trx, request, at),
        ...telling(trx, sealer, businessId, timeZone),
        ...changingStories(trx, sealer, businessId),
        appendJournal: (entries) => appendJournal(trx, businessId, entries),
        enqueue: (request, effects) => enqueue(trx, request, effects),
        ...listeners(trx, sealer, businessId),
        keepIntent: (intent, insteadOf) => keepIntent(trx, sealer, intent, insteadOf),
        keepValue: (intent, value) => keepValue(trx, sealer, intent, value),
        keepStamp: (intent, stamp) => keepStamp(trx, sealer, intent, stamp),
        ...releasing(trx, businessId),
        ...changingRemoteSignings(trx, sealer, businessId),
        findLook: (signatureId) => looks.findLook(trx, sealer, businessId, signatureId),
        keepLook: (look, at) => looks.keepLook(trx, sealer, businessId, look, at),
        removeLooks: (signatureIds) => looks.removeLooks(trx, signatureIds),
        ...visiting(trx),
        lockCode: (purpose, signatureId) => findCode(trx, purpose, signatureId, true),
        saveCode: (code) => saveCode(trx, code),
        addToday: (what, key, at, more) => addToday(trx, what, key, at, more),
        findGroups: (ids) => groups.findGroups(trx, businessId, ids, "share"),
        lockGroup: (id) => groups.lockGroup(trx, businessId, id),
        insertGroup: (group) => groups.insertGroup(trx, group),
        saveGroup: (group) => groups.saveGroup(trx, group),
        isGroupNeeded: (id) => groups.isGroupNeeded(trx, id),
        isGroupOfOthers: (caller, id) => groups.isGroupOfOthers(trx, caller, id),
        removeGroup: (id) => groups.removeGroup(trx, id),
        memberEmail: (accountId) => memberEmail(trx, businessId, accountId),
        ...identifications.changingIdentifications(trx, sealer, businessId),
        insertAttachment: (attachment) => attachments.insertAttachment(trx, sealer, attachment),
        removeAttachments: (requestId, at, id) => attachments.removeAttachments(trx, requestId, at, id),
        ...managed(trx, businessId, writeToMember),
        ...changingSeals(trx, sealer, businessId, timeZone, enqueueSealing),
        ...templates.changingTemplates(trx, businessId),
        ...changingCredits(trx, businessId, timeZone),
        ...changingValidations(trx, sealer, businessId),
        ...changingProtocols(trx, sealer, businessId),
        keepLogo: (logo, at) => branding.keepLogo(trx, businessId, logo, at),
        removeLogo: () => branding.removeLogo(trx, businessId),
        isAccount: (email) => isAccount(trx, email),
        isMember: (email) => isMember(trx, businessId, email),
        isAdministrator: (userId) => isAdministrator(trx, businessId, userId),
      }),
    )

export type TransactParts = {
  readonly db: Database
  readonly enqueue: Enqueue
  readonly sealer: RowSealer
  /** Where nobody is made a member, nobody has to be able to write to one. */
  readonly writeToMember?: WriteToMember
  readonly enqueueSealing?: EnqueueSealing
  /** Days of usage are those there. */
  readonly timeZone?: string
}

/** The story of a request that is made here begins here, too: nobody else can have begun it. */
const telling = (
  trx: Trx,
  sealer: RowSealer,
  businessId: string,
  timeZone: string,
): Pick<Tx, "insertRequest" | "appendEvidence"> => {
  const untold = new Map<string, Kind>()
  return {
    insertRequest: async (request) => {
      await insertRequest(trx, request)
      untold.set(request.id, request.kind)
    },
    appendEvidence: async (id, evidence) => {
      await appendEvidence(trx, sealer, { businessId, id }, evidence, untold.get(id))
      if (evidence.length > 0) untold.delete(id)
      await usage.countEvidence(trx, timeZone, id, evidence)
    },
  }
}

const visiting = (
  trx: Trx,
): Pick<
  Tx,
  "insertLink" | "insertSession" | "countSessions" | "proveSession" | "sessionLanguage" | "servedPages"
> => ({
  insertLink: (signatureId, tokenHash, at) => insertLink(trx, signatureId, tokenHash, at),
  insertSession: (signatureId, session, at) => insertSession(trx, signatureId, session, at),
  countSessions: (signatureId, by, since) => countSessions(trx, signatureId, by, since),
  proveSession: (idHash) => proveSession(trx, idHash),
  sessionLanguage: (idHash) => sessionLanguage(trx, idHash),
  servedPages: (signatureId, idHash) => servedPages(trx, signatureId, idHash),
})

const releasing = (trx: Trx, businessId: string): ReleasesTx => ({
  findRelease: (id) => releases.findRelease(trx, businessId, id),
  insertRelease: (release) => releases.insertRelease(trx, release),
  passRelease: (id, passed) => releases.passRelease(trx, id, passed),
  noteSignerKey: (key) => releases.noteSignerKey(trx, key),
  forgetSignerKey: (keyLabel) => releases.forgetSignerKey(trx, keyLabel),
  saveProvenName: (name) => saveProvenName(trx, name),
})

const listeners = (trx: Trx, sealer: RowSealer, businessId: string): CallbacksTx & WebhooksTx => ({
  replayCallback: (requestId, id, at) => replayCallback(trx, businessId, requestId, id, at),
  countWebhooks: (caller) => webhooks.countWebhooks(trx, caller),
  insertWebhook: (webhook) => webhooks.insertWebhook(trx, sealer, webhook),
  lockWebhook: (id) => webhooks.findWebhook(trx, sealer, businessId, id, true),
  saveWebhookSecrets: (webhook) => webhooks.saveSecrets(trx, sealer, webhook),
  removeWebhook: (webhook) => webhooks.removeWebhook(trx, webhook),
  replayEvents: (webhook, which, at) => replayEvents(trx, webhook, which, at),
  replayDelivery: (webhookId, id, at) => replayDelivery(trx, businessId, webhookId, id, at),
})

export const createRead =
  (db: Database, sealer: RowSealer): Read =>
  (businessId, work, asks) =>
    ofTheBusiness(db, asks ?? "read", businessId, (trx) =>
      work({
        findDocument: (id) => documents.findDocument(trx, sealer, businessId, id),
        findDocuments: (ids) => documents.findDocuments(trx, sealer, businessId, ids),
        listDocuments: (caller, asked) => listDocuments(trx, sealer, caller, asked),
        findRequest: (id) => findRequest(trx, businessId, id, false),
        findRequests: (ids) => findRequests(trx, businessId, ids),
        listRequests: (caller, asked) => listRequests(trx, caller, asked),
        findStory: (id) => findStory(trx, sealer, { businessId, id }),
        ...readingStories(trx, sealer, businessId),
        exportPage: (asked) => exportPage(trx, businessId, asked),
        callbacksOf: (requestId) => callbacksOf(trx, businessId, requestId),
        eventsAfter: (caller, after, pageSize) => eventsAfter(trx, caller, after, pageSize),
        findWebhook: (id) => webhooks.findWebhook(trx, sealer, businessId, id, false),
        listWebhooks: (caller) => webhooks.listWebhooks(trx, sealer, caller),
        listMails: (caller, seen, asked) => mails.listMails(trx, sealer, caller, seen, asked),
        findMail: (caller, seen, id) => mails.findMail(trx, sealer, caller, seen, id),
        listDeliveries: (webhookId, asked) => listDeliveries(trx, businessId, webhookId, asked),
        findCode: (purpose, signatureId) => findCode(trx, purpose, signatureId, false),
        findLook: (signatureId) => looks.findLook(trx, sealer, businessId, signatureId),
        findRelease: (id) => releases.findRelease(trx, businessId, id),
        ...readingRemoteSignings(trx, sealer, businessId),
        findIntent: (signatureId, documentId, baseId) =>
          findIntent(trx, sealer, { signatureId, documentId, baseId }),
        findGroups: (ids) => groups.findGroups(trx, businessId, ids),
        listGroups: (caller, asked) => groups.listGroups(trx, caller, asked),
        readsRequestOf: (caller, documentId) => readsRequestOf(trx, caller, documentId),
        memberEmail: (accountId) => memberEmail(trx, businessId, accountId),
        findAttachment: (requestId, id) => attachments.findAttachment(trx, sealer, businessId, requestId, id),
        ...identifications.readingIdentifications(trx, sealer, businessId),
        settings: () => settings.settingsOf(trx, businessId),
        ...templates.readingTemplates(trx, businessId),
        ...readingSeals(trx, sealer, businessId),
        ...readingCredits(trx, businessId),
        ...readingValidations(trx, sealer, businessId),
        ...readingProtocols(trx, sealer, businessId),
        usageByDay: (from, to) => usage.usageByDay(trx, businessId, from, to),
        usageByMonth: (from, to) => usage.usageByMonth(trx, businessId, from, to),
        findLogo: () => branding.findLogo(trx, businessId),
        agreedSettings: async () => settings.there(await settings.findSettings(trx, businessId)),
        listMembers: () => listMembers(trx, businessId),
        listKeys: (deadAtMost, now) => listKeys(trx, businessId, deadAtMost, now),
        readAudit: (asked) => readAuditOf(trx, businessId, asked),
        isAccount: (email) => isAccount(trx, email),
        isMember: (email) => isMember(trx, businessId, email),
        isAdministrator: (userId) => isAdministrator(trx, businessId, userId),
        isUser: (username) => isUser(trx, businessId, username),
        listActivities: (caller, asked) => listActivities(trx, caller, asked),
      }),
    )
