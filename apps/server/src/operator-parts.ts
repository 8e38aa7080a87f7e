import type { Clock } from "@paraph/core/ports"
import { listKeys } from "@paraph/store/postgres/api-keys"
import { readAudit } from "@paraph/store/postgres/audit-log"
import type { Database } from "@paraph/store/postgres/database"
import { listMembers } from "@paraph/store/postgres/members"
import * as rows from "@paraph/store/postgres/operator"

const AT_MOST = 100
const DEAD_KEYS = 50

/** What operators see and do beside all businesses; in the name of nobody's key. */
export const operatorParts = (db: Database, now: Clock) => ({
  isBusiness: (id: string) => rows.isBusiness(db, id),
  noteCertificates: (certificates: readonly rows.ServiceCertificate[]) =>
    rows.noteCertificates(db, certificates, now()),
  operatorRows: {
    overview: () => rows.readOverview(db, now()),
    businesses: (asked: { readonly search: string; readonly id: string | null }) =>
      rows.listBusinesses(db, { ...asked, limit: AT_MOST, now: now() }),
    keysOf: (businessId: string) => listKeys(db, businessId, DEAD_KEYS),
    membersOf: (businessId: string) => listMembers(db, businessId),
    noteLook: (businessId: string, email: string) => rows.noteLook(db, businessId, email, now()),
    mails: (asked: Omit<Parameters<typeof rows.listMailLog>[1], "limit">) =>
      rows.listMailLog(db, { ...asked, limit: AT_MOST }),
    audit: (asked: { readonly businessId: string | null; readonly olderThan: number | null }) =>
      readAudit(db, { ...asked, since: null, limit: AT_MOST }),
    failedJobs: () => rows.listFailedJobs(db),
    retryJob: (id: string, email: string) => rows.retryFailedJob(db, id, { email, at: now() }),
  },
})
