import type { Kind } from "@paraph/core/signature-request/model"
import type { ReportOf, ReportSealer, WritePdfReport } from "@paraph/core/validation/ports"
import { readCertificate } from "@paraph/pki/certificate"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import { orderName, waitingReports } from "@paraph/store/postgres/validation-reports"
import type { DocumentReport } from "@paraph/validation/report"
import type { AuthorityParts } from "./authority-parts.ts"
import type { Config } from "./config.ts"
import type { Identities } from "./identities.ts"
import { protocolRows } from "./protocol-parts.ts"
import { writeApart } from "./report-writing/write.ts"
import { createSealWatch } from "./seal-watch.ts"
import { ofKeys } from "./signer-key-parts.ts"
import type { Logger } from "./telemetry/logs.ts"

/** What every role has of reports for people (ADR 0051): their rows. Whoever asks waits as for a seal. */
export function reportRows(config: Pick<Config, "SEAL_WAIT_SECONDS">, db: ServiceDatabase, log: Logger) {
  const isOver = createSealWatch(
    (names) => waitingReports(db, names),
    (error) => log.warn({ error }, "reports"),
    config.SEAL_WAIT_SECONDS * 1000,
  )
  return { reportIsOver: (of: ReportOf) => isOver(orderName(of)), ...protocolRows(config, db, log) }
}

/** What a worker writes them with, and seals them by. Without an authority of our own there is one certificate for everything. */
export const reportParts = (
  { reportCertificate }: Pick<AuthorityParts, "reportCertificate">,
  identities: Pick<Identities, "of">,
) => ({
  // Core knows a part of what is kept; the engine's whole report is what was kept.
  writePdfReport: (async ({ report, kind, asked: _, ...of }) =>
    writeApart({
      type: "validation",
      order: { ...of, report: report as DocumentReport, isDemo: kind === "demo" },
    })) satisfies WritePdfReport,
  reportSealer: (async (kind: Kind) => {
    const own = (await reportCertificate(kind)) ?? (await identities.of(kind).catch(ofKeys))
    const { certificate, chain, keyLabel } = own
    return { name: readCertificate(certificate).subjectName, certificate, chain, keyLabel }
  }) satisfies ReportSealer,
})
