// What a service is and was, period by period (ETSI TS 119 612, 5.5 and 5.6), with its extensions (5.5.9).

import { ADDITIONAL, QUALIFICATIONS, readName, TSL } from "./names.ts"
import { readCriteria } from "./read-criteria.ts"
import {
  type CertificateUse,
  type Law,
  QUALIFIERS,
  type Qualification,
  type Qualifier,
  type ServicePeriod,
} from "./trusted-list.ts"
import type { XmlElement } from "./xml-reader.ts"
import { attributeOf, childOf, childrenOf, elementsOf, requiredChild, textOf, timeOf } from "./xml-tree.ts"

type PeriodContext = { readonly law: Law /** Where the newest one ends. */; readonly end?: string }

/** The newest first, each until the one after it began. */
export function readPeriods(
  entries: readonly XmlElement[],
  { law, end }: PeriodContext,
): readonly ServicePeriod[] {
  const periods = entries
    .map((entry) => readPeriod(entry, law))
    .sort((one, other) => (one.from < other.from ? 1 : -1))
  return periods.map((period, at) => {
    const until = periods[at - 1]?.from ?? end
    return until === undefined ? period : { ...period, until }
  })
}

function readPeriod(entry: XmlElement, law: Law): ServicePeriod {
  const read: Extensions = { uses: new Set(), qualifications: [], isUnderstood: true }
  const extensions = childrenOf(childOf(entry, TSL, "ServiceInformationExtensions"), TSL, "Extension")
  for (const extension of extensions) readExtension(extension, law, read)
  const { expiredCertificatesSince, takenOverBy } = read
  return {
    type: behind(textOf(requiredChild(entry, TSL, "ServiceTypeIdentifier")), "Svctype", law) ?? "unknown",
    status: behind(textOf(requiredChild(entry, TSL, "ServiceStatus")), "Svcstatus", law) ?? "unknown",
    from: new Date(timeOf(requiredChild(entry, TSL, "StatusStartingTime"))).toISOString(),
    uses: [...read.uses],
    qualifications: read.qualifications,
    ...(expiredCertificatesSince !== undefined && { expiredCertificatesSince }),
    ...(takenOverBy !== undefined && { takenOverBy }),
    isUnderstood: read.isUnderstood,
  }
}

type Extensions = {
  readonly uses: Set<CertificateUse>
  readonly qualifications: Qualification[]
  expiredCertificatesSince?: string
  takenOverBy?: string
  isUnderstood: boolean
}

const USES: Readonly<Record<string, CertificateUse | "root">> = {
  ForeSignatures: "esign",
  ForeSeals: "eseal",
  ForWebSiteAuthentication: "web",
  "RootCA-QC": "root",
}

// Clause 5.5.9: whoever does not know a critical extension must not use what it belongs to. What an
// additionalServiceInformation says beyond the known words narrows nothing that we decide by.
function readExtension(extension: XmlElement, law: Law, read: Extensions): void {
  const [content, ...more] = elementsOf(extension)
  const isCritical = attributeOf(extension, "Critical") === "true"
  const name = content === undefined || more.length > 0 ? "" : `${content.namespace} ${content.local}`
  switch (name) {
    case `${TSL} AdditionalServiceInformation`: {
      const address = textOf(requiredChild(content as XmlElement, TSL, "URI"))
      const use = USES[behind(address, "SvcInfoExt", law) ?? ""]
      if (use !== undefined && use !== "root") read.uses.add(use)
      break
    }
    case `${QUALIFICATIONS} Qualifications`:
      for (const element of childrenOf(content, QUALIFICATIONS, "QualificationElement"))
        read.qualifications.push(readQualification(element, law, isCritical))
      break
    case `${TSL} ExpiredCertsRevocationInfo`:
      read.expiredCertificatesSince = new Date(timeOf(content as XmlElement)).toISOString()
      break
    case `${ADDITIONAL} TakenOverBy`:
      read.takenOverBy = readName(requiredChild(content as XmlElement, ADDITIONAL, "TSPName"))
      break
    default:
      if (isCritical) read.isUnderstood = false
  }
}

function readQualification(element: XmlElement, law: Law, isCritical: boolean): Qualification {
  const qualifiers = childrenOf(
    requiredChild(element, QUALIFICATIONS, "Qualifiers"),
    QUALIFICATIONS,
    "Qualifier",
  )
  const known = qualifiers.flatMap((qualifier): readonly Qualifier[] => {
    const word = behind(attributeOf(qualifier, "uri") ?? "", "SvcInfoExt", law)
    return QUALIFIERS.filter((name) => name === word)
  })
  const criteria = childOf(element, QUALIFICATIONS, "CriteriaList")
  return {
    qualifiers: known,
    isUnderstood: !isCritical || known.length === qualifiers.length,
    criteria: criteria === undefined ? { kind: "unknown" } : readCriteria(criteria, 0),
  }
}

const ETSI = String.raw`https?://uri\.etsi\.org/TrstSvc/`
const SWISS = String.raw`https?://uri\.tsl-switzerland\.ch/TrstSvc/`
// The Swiss list has addresses of its own for the types of services; what they mean is what ETSI's mean, but by Swiss law.
const ROOTS: Readonly<Record<Law, string>> = { EU: ETSI, CH: `(?:${ETSI}|${SWISS})` }

/**
 * What stands behind the kind of address: "CA/QC" of ".../Svctype/CA/QC". Undefined for an address of somebody else: it may
 * mean anything. "TrustedList" and its older name (Directive 1999/93/EC) stand between, or nothing.
 */
function behind(address: string, kind: "Svctype" | "Svcstatus" | "SvcInfoExt", law: Law): string | undefined {
  const middle = "(?:TrustedList/|eSigDir-1999-93-EC-TrustedList/)?"
  const found = new RegExp(`^${ROOTS[law]}${middle}${kind}/([\\w/-]{1,64}?)/?$`).exec(address)
  return found?.[1]
}
