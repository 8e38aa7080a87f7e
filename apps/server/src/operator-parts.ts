import type { UsualCredits } from "@paraph/core/credits/model"
import { addDays, dateIn } from "@paraph/core/dates"
import type { Clock } from "@paraph/core/ports"
import { listTroubledJobs, retryTroubledJob } from "@paraph/store/jobs/troubled"
import { listKeys } from "@paraph/store/postgres/api-keys"
import { readAudit } from "@paraph/store/postgres/audit-log"
import * as businesses from "@paraph/store/postgres/businesses-seen"
import { creditAgreement } from "@paraph/store/postgres/credits"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import { listMailLog } from "@paraph/store/postgres/mail-log"
import { listMembers } from "@paraph/store/postgres/members"
import { noteCertificates, type ServiceCertificate } from "@paraph/store/postgres/service-certificates"
import { readOverview } from "@paraph/store/postgres/service-overview"

const AT_MOST = 100
const DEAD_KEYS = 50

/** What operators see and do beside all businesses; in the name of nobody's key. */
export const operatorParts = (db: ServiceDatabase, now: Clock, timeZone: string) => ({
  isBusiness: (id: string) => businesses.isBusiness(db, id),
  noteCertificates: (certificates: readonly ServiceCertificate[]) =>
    noteCertificates(db, certificates, now()),
  operatorRows: {
    overview: () => readOverview(db, now()),
    businesses: (asked: { readonly search: string; readonly id: string | null }) =>
      businesses.listBusinesses(db, {
        ...asked,
        limit: AT_MOST,
        now: now(),
        since: addDays(dateIn(timeZone, now()), 1 - 30),
      }),
    keysOf: (businessId: string) => listKeys(db, businessId, DEAD_KEYS, now()),
    membersOf: (businessId: string) => listMembers(db, businessId),
    creditsOf: (businessId: string, usual: UsualCredits) => creditAgreement(db, businessId, usual),
    noteLook: (businessId: string, email: string) => businesses.noteLook(db, businessId, email, now()),
    mails: (asked: Omit<Parameters<typeof listMailLog>[1], "limit">) =>
      listMailLog(db, { ...asked, limit: AT_MOST }),
    audit: (asked: { readonly businessId: string | null; readonly olderThan: number | null }) =>
      readAudit(db, { ...asked, since: null, limit: AT_MOST }),
    failedJobs: () => listTroubledJobs(db),
    retryJob: (id: string, email: string) => retryTroubledJob(db, id, { email, at: now() }),
  },
})
