import type { Language } from "@paraph/core/language"
import { LIMITS } from "@paraph/core/limits"
import type { Clock } from "@paraph/core/ports"
import type { Bucket } from "@paraph/store/blobs/bucket"
import { findNamed } from "@paraph/store/directory/names"
import * as branding from "@paraph/store/postgres/branding"
import { removeOldCopies } from "@paraph/store/postgres/captured-mails"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import * as due from "@paraph/store/postgres/due-requests"
import type { StorySealer } from "@paraph/store/postgres/evidence"
import { removeOldWays } from "@paraph/store/postgres/identifications"
import { removeOldLooks } from "@paraph/store/postgres/looks"
import * as loose from "@paraph/store/postgres/loose-blobs"
import { removeOldMailLog } from "@paraph/store/postgres/mail-log"
import * as past from "@paraph/store/postgres/past"
import * as releases from "@paraph/store/postgres/releases"
import { removeOldRemoteWays } from "@paraph/store/postgres/remote-signings"
import { claimSealRenewals } from "@paraph/store/postgres/sealed-documents"
import { removeOldBatches, removeOldSealings } from "@paraph/store/postgres/sealings"
import { originsOf } from "@paraph/store/postgres/settings"
import { removeOldCounts } from "@paraph/store/postgres/signer-codes"
import * as signers from "@paraph/store/postgres/signers"
import { tidyErased } from "@paraph/store/postgres/tidy-erased"
import { removeOldValidations } from "@paraph/store/postgres/validations"
import type { Config } from "./config.ts"

const SESSION = { idleMs: LIMITS.signerSessionIdleMs, wholeMs: LIMITS.signerSessionMs }

/** Rows that are read and written outside the transactions of core. */
export function rowParts(db: ServiceDatabase, now: Clock) {
  return {
    knows: (name: string) => findNamed(db, name),
    brandOf: (id: string) => branding.brandOf(db, id),
    findLogo: (id: string) => branding.findLogoById(db, id),
    logoOf: (businessId: string) => branding.findLogo(db, businessId),
    findLink: (hash: Uint8Array) => signers.findLink(db, hash),
    findSigner: (signatureId: string) => signers.findSigner(db, signatureId),
    findSession: (hash: Uint8Array, seen?: boolean) => signers.findSession(db, hash, now(), SESSION, seen),
    chooseLanguage: (hash: Uint8Array, language: Language) => signers.chooseLanguage(db, hash, language),
    originsOf: (businessId: string) => originsOf(db, businessId),
    requestVersions: (ids: readonly string[]) => signers.requestVersions(db, ids),
    claimDue: (options: { limit: number; againAt: Date }) => loose.claimDue(db, now(), options),
    forgetLoose: (names: readonly string[]) => loose.forgetLoose(db, names),
    dueToExpire: (limit: number) => due.dueToExpire(db, now(), limit),
    dueToWarn: (limit: number) => due.dueToWarn(db, now(), LIMITS.expiryWarningMs, limit),
    dueToRetire: (limit: number) => due.dueToRetire(db, now(), limit),
    claimRenewals: (limit: number) =>
      due.claimRenewals(db, now(), { againAt: new Date(now().getTime() + LIMITS.renewAgainMs), limit }),
    claimSealRenewals: (limit: number) =>
      claimSealRenewals(db, now(), { againAt: new Date(now().getTime() + LIMITS.renewAgainMs), limit }),
    dueTurns: (limit: number) => releases.dueTurns(db, now(), limit),
    claimDueKeys: (options: { limit: number; againAt: Date }) => releases.claimDueKeys(db, now(), options),
    forgetSignerKey: (keyLabel: string) => releases.forgetSignerKey(db, keyLabel),
    removeOldSessions: (before: Date, limit: number) => due.removeOldSessions(db, before, limit),
  }
}

/** What is over, and for how long it is kept. The story of what goes is erased, and nothing else of the evidence is among it. */
export function pastParts(
  { DELIVERY_DAYS, JOURNAL_DAYS, LINK_DAYS }: Config,
  db: ServiceDatabase,
  sealer: StorySealer,
  { markErased }: Pick<Bucket, "markErased">,
  now: Clock,
) {
  const ago = (ms: number) => new Date(now().getTime() - ms)
  const over = (ms: number) => ({ now: now(), before: ago(ms) })
  const before = (days: number) => ago(days * 86_400_000)
  return {
    removeMarked: (limit: number) => loose.removeMarked(db, sealer, now(), limit),
    removePast: [
      (limit: number) => tidyErased(db, markErased, now(), limit),
      (limit: number) => removeOldValidations(db, sealer, now(), limit),
      (limit: number) => removeOldCopies(db, ago(LIMITS.capturedMailMs), limit),
      (limit: number) => removeOldMailLog(db, ago(LIMITS.mailLogMs), limit),
      (limit: number) => past.removeOldDeliveries(db, before(DELIVERY_DAYS), limit),
      (limit: number) => past.removeOldEvents(db, before(JOURNAL_DAYS), limit),
      (limit: number) => past.removeOldLinks(db, now(), before(LINK_DAYS), limit),
      // A picture is sent in the session in which it is signed with, and a way to a provider takes three days at most.
      (limit: number) => removeOldLooks(db, before(4), limit),
      (limit: number) => removeOldCounts(db, before(1), limit),
      (limit: number) => removeOldSealings(db, sealer, over(LIMITS.sealingMs), limit),
      (limit: number) => removeOldBatches(db, sealer, over(LIMITS.batchMs), limit),
      (limit: number) => removeOldWays(db, ago(LIMITS.identificationWayMs), limit),
      (limit: number) => removeOldRemoteWays(db, ago(LIMITS.providerTurnAloneMs), limit),
    ],
  }
}
