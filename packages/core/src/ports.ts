import type { AttachmentsReading, AttachmentsTx } from "./attachment/ports.ts"
import type { BusinessReading, KeysTx, MembersTx, PeopleTx, SettingsTx } from "./business/ports.ts"
import type { CallbacksReading, CallbacksTx } from "./callback/ports.ts"
import type { MailsReading } from "./captured-mail/ports.ts"
import type { CreditsReading, CreditsTx } from "./credits/ports.ts"
import type { DocumentsReading, DocumentsTx } from "./document/ports.ts"
import type { StoriesReading, StoriesTx } from "./evidence/ports.ts"
import type { GroupsReading, GroupsTx } from "./group/ports.ts"
import type { IdentificationsReading, IdentificationsTx } from "./identification/ports.ts"
import type { JournalReading, JournalTx } from "./journal/ports.ts"
import type { SignersTx } from "./login/ports.ts"
import type { CodesReading, CodesTx } from "./one-time-code/ports.ts"
import type { ReleasesReading, ReleasesTx } from "./release/ports.ts"
import type { RemoteSigningsReading, RemoteSigningsTx } from "./remote-key/ports.ts"
import type { ProtocolsReading, ProtocolsTx } from "./report/ports.ts"
import type { SealsReading, SealsTx } from "./seal/ports.ts"
import type { RequestsReading, RequestsTx } from "./signature-request/ports.ts"
import type { TemplatesReading, TemplatesTx } from "./template/ports.ts"
import type { UsageReading } from "./usage/ports.ts"
import type { ValidationsReading, ValidationsTx } from "./validation/ports.ts"
import type { WebhooksReading, WebhooksTx } from "./webhook/ports.ts"

/**
 * What core asks of the world, as function types: here what belongs to all, in each room's `ports.ts` what belongs to that room.
 * `apps/server/src/parts.ts` says who answers.
 */

export type Clock = () => Date
export type NewId = () => string
/** SHA-256 of a text, in hex. */
export type Sha256 = (text: string) => string

/** Runs in one transaction, in the name of one business; a thrown error rolls back. */
export type Transact = <T>(businessId: string, work: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * Reads in one snapshot: what it sees belongs together, whatever others change meanwhile. `asks`: whoever asks for one thing alone,
 * which is read by one statement, needs no transaction around it; a second question is refused.
 */
export type Read = <T>(
  businessId: string,
  work: (reading: Reading) => Promise<T>,
  asks?: "once",
) => Promise<T>

export type Reading = BusinessReading &
  DocumentsReading &
  RequestsReading &
  StoriesReading &
  ReleasesReading &
  RemoteSigningsReading &
  AttachmentsReading &
  CodesReading &
  JournalReading &
  IdentificationsReading &
  CallbacksReading &
  WebhooksReading &
  GroupsReading &
  TemplatesReading &
  UsageReading &
  MailsReading &
  SealsReading &
  CreditsReading &
  ValidationsReading &
  ProtocolsReading

export type Tx = DocumentsTx &
  RequestsTx &
  StoriesTx &
  ReleasesTx &
  RemoteSigningsTx &
  AttachmentsTx &
  SignersTx &
  CodesTx &
  JournalTx &
  IdentificationsTx &
  CallbacksTx &
  WebhooksTx &
  GroupsTx &
  TemplatesTx &
  SettingsTx &
  PeopleTx &
  MembersTx &
  KeysTx &
  SealsTx &
  CreditsTx &
  ValidationsTx &
  ProtocolsTx
