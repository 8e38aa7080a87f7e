import type { Clock } from "@paraph/core/ports"
import { Refusal } from "@paraph/core/refusal"
import { createOpenId } from "@paraph/gateways/openid"
import { OpenIdFailed } from "@paraph/gateways/openid-failed"
import type { Outbound } from "@paraph/gateways/outbound"
import type { WriteToMember } from "@paraph/store/jobs/enqueue"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import * as rows from "@paraph/store/postgres/single-sign-on"
import * as logins from "@paraph/store/postgres/single-sign-on-logins"
import type { RowSealer } from "@paraph/store/postgres/transact"

type Around = {
  readonly publicUrl: string
  readonly outbound: Outbound
  readonly db: ServiceDatabase
  readonly writeToMember: WriteToMember
  readonly sealer: RowSealer
  readonly now: Clock
}

/** What stands behind logins by a provider of a business (ADR 0037). */
export function singleSignOnParts({ publicUrl, outbound, db, writeToMember, sealer, now }: Around) {
  const openId = createOpenId(outbound)
  return {
    openId,
    findProvider: (issuer: string) => openId.find(issuer).catch(inWords),
    /** One for each business: what comes back there is known to come from its own provider (RFC 9700, 4.4.2.2). */
    redirectUri: (businessId: string) => `${publicUrl}/account/sso/callback/${businessId}`,
    changeSingleSignOn: rows.createChangeSingleSignOn(db, sealer, writeToMember),
    findSingleSignOn: (businessId: string) => rows.findSingleSignOn(db, sealer, businessId),
    singleSignOnOf: (domain: string) => rows.singleSignOnOf(db, domain),
    insertAttempt: (attempt: logins.Attempt, next: string) => logins.insertAttempt(db, attempt, next, now()),
    takeAttempt: (attempt: logins.Attempt) => logins.takeAttempt(db, attempt, now()),
  }
}

export function inWords(error: unknown): never {
  if (!(error instanceof OpenIdFailed)) throw error
  throw new Refusal("single-sign-on-failed", error.message, { cause: error })
}
