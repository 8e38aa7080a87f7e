import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import type { SayReason } from "@paraph/contract/validation-v1/validation"
import type { Clock } from "@paraph/core/ports"
import type { Kind } from "@paraph/core/signature-request/model"
import type { WriteEtsiReport } from "@paraph/core/validation/ports"
import type { Authority } from "@paraph/gateways/issuing-ca/records"
import type { Outbound } from "@paraph/gateways/outbound"
import type { AnchorTold, PdfRooms } from "@paraph/gateways/pdf"
import { revocationPorts } from "@paraph/gateways/revocation"
import { certificatesInPem } from "@paraph/pki/pem"
import { writeEtsiReport } from "@paraph/validation/etsi-report"
import type { DocumentReport } from "@paraph/validation/report"
import { sayReason } from "@paraph/validation/words"
import { type AuthorityRows, rootsOf } from "./authority-parts.ts"
import type { Config } from "./config.ts"
import type { RemoteKeyRows } from "./remote-key-parts.ts"
import type { trustedListParts } from "./trusted-list-parts.ts"
import { usualCreditsOf } from "./usual-credits.ts"
import { validating } from "./validating.ts"

type Around = Pick<AuthorityRows, "servedRecords"> &
  Pick<RemoteKeyRows, "remoteAnchors"> & {
    readonly rooms: PdfRooms
    readonly outbound: Outbound
    readonly now: Clock
    readonly servicesNamed: ReturnType<typeof trustedListParts>["servicesNamed"]
  }

/** What stands behind the validation interface. */
export function validationParts(config: Config, around: Around) {
  const { PUBLIC_URL, VALIDATION_BASE_URL } = config
  const { rooms, outbound, now } = around
  return {
    /** Where the world finds it; below our own address unless it has a host of its own. */
    validationBaseUrl: VALIDATION_BASE_URL === "" ? `${PUBLIC_URL}/validation` : VALIDATION_BASE_URL,
    usualCredits: usualCreditsOf(config),
    validatePdf: validating({
      rooms,
      now,
      anchorsOf: trusting(config, around),
      servicesNamed: around.servicesNamed,
      revocation: revocationPorts(outbound),
    }),
    sayReason: sayReason satisfies SayReason,
    // Core knows a part of what is kept; the engine's whole report is what was kept.
    writeEtsiReport: (async ({ report }) =>
      writeEtsiReport(report as DocumentReport)) satisfies WriteEtsiReport,
  }
}

/**
 * The roots that the operator names, our own authority's, and those of the providers that sign for us. What demo keys make is
 * worth nothing to production keys, so they do not trust it; the other way round they may (choice 423). Whoever has a
 * certificate of our own authority signs with a key of their own, which is AES (choice 438); the service itself has one too,
 * with which it signs for everybody else.
 */
function trusting(config: Config, { servedRecords, remoteAnchors }: Around) {
  const named = [config.VALIDATION_ANCHORS_FILE, config.TRUST_ANCHORS_FILE].flatMap((file) =>
    file === "" ? [] : certificatesInPem(readFileSync(file, "utf8")),
  )
  return async (kind: Kind): Promise<readonly AnchorTold[]> => {
    const kinds: readonly Kind[] = kind === "demo" ? ["demo", "production"] : ["production"]
    const own = (await Promise.all(kinds.map((each) => servedRecords.authorities(each)))).flat()
    const roots = [...named, ...rootsOf(own), ...kinds.flatMap((each) => remoteAnchors(each))]
    return [...roots.map((certificate) => ({ certificate })), ...advancedBy(own)]
  }
}

/** The root above may be somebody else's, who certifies whomever they like. */
function advancedBy(rows: readonly Authority[]): readonly AnchorTold[] {
  const certificatesOf = (role: Authority["role"]) =>
    rows.flatMap((row) => (row.role === role ? (row.certificate ?? []) : []))
  const except = certificatesOf("service").map((der) => createHash("sha256").update(der).digest("hex"))
  return certificatesOf("issuing").map((certificate) => ({
    certificate,
    purposes: [],
    quality: "AES",
    except,
  }))
}
