// What a certificate claims about being qualified (ETSI EN 319 412-5, 4.2 and 4.3). A claim of its issuer: it counts as
// much as the path to an anchor that is believed in this.

import { DerError, type DerNode, expectTag, readDer, readOid, TAG } from "../der/der.ts"
import { oid, printableString, sequence } from "../der/der-writer.ts"
import { ifReadable } from "../der/optional.ts"
import type { Certificate } from "./certificate.ts"
import type { Extension } from "./extension.ts"
import { EXTENSION, readKeyUsage, readQcStatements } from "./extensions.ts"

export type Legislation = "EIDAS" | "ZERTES"
export type QcType = "esign" | "eseal" | "web"

export type QcStatements = {
  /** QcCompliance: a qualified certificate, of the Union where no country is named. */
  readonly isQualified: boolean
  /** QcSSCD: the key is in a qualified signature creation device. */
  readonly isInDevice: boolean
  readonly types: readonly QcType[]
  /** QcCClegislation: the countries by whose law it is qualified, instead of the Union's. */
  readonly countries: readonly string[] | undefined
}

const ESI4 = "0.4.0.1862.1"
const STATEMENT = {
  compliance: `${ESI4}.1`,
  device: `${ESI4}.4`,
  type: `${ESI4}.6`,
  legislation: `${ESI4}.7`,
} as const
const TYPES: readonly QcType[] = ["esign", "eseal", "web"]

/**
 * By which law a signature with this certificate is a qualified one, as far as the certificate says; null for none. That
 * takes a qualified certificate, for signatures, whose key lies in a qualified device (Regulation 910/2014, Article 3 (12);
 * ZertES, Article 2 (e)), and a key usage that commits to content (EN 319 412-2, 4.3.2). What cannot be read says nothing.
 */
export function qualifiedUnder({ extensions }: Pick<Certificate, "extensions">): Legislation | null {
  const statements = ifReadable(() => readStatements(extensions))
  const commits = ifReadable(() => readKeyUsage(extensions))?.includes("contentCommitment")
  if (!statements?.isQualified || !statements.isInDevice || !commits) return null
  // EN 319 412-5, 4.2.3: who leaves the type out claims nothing about what it is for.
  if (!statements.types.includes("esign")) return null
  if (statements.countries === undefined) return "EIDAS"
  return statements.countries.includes("CH") ? "ZERTES" : null
}

/** Undefined where there are none; throws a DerError for statements that are not as the standard says. */
export function readStatements(extensions: readonly Extension[]): QcStatements | undefined {
  const encoded = readQcStatements(extensions)
  if (encoded === undefined) return undefined
  const found = new Map<string, DerNode | undefined>()
  for (const statement of expectTag(readDer(encoded), TAG.sequence, "QC statements").children) {
    const [id, info, ...rest] = expectTag(statement, TAG.sequence, "QC statement").children
    const name = readOid(id, "QC statement")
    if (rest.length > 0 || found.has(name)) throw new DerError("a QC statement of odd parts, or twice")
    found.set(name, info)
  }
  const isSaid = (name: string) => {
    if (found.get(name) !== undefined) throw new DerError("a QC statement with more than its name")
    return found.has(name)
  }
  return {
    isQualified: isSaid(STATEMENT.compliance),
    isInDevice: isSaid(STATEMENT.device),
    types: found.has(STATEMENT.type) ? readTypes(found.get(STATEMENT.type)) : [],
    countries: found.has(STATEMENT.legislation) ? readCountries(found.get(STATEMENT.legislation)) : undefined,
  }
}

function readTypes(node: DerNode | undefined): readonly QcType[] {
  const ids = expectTag(node, TAG.sequence, "QC type").children.map((id) => readOid(id, "QC type"))
  return TYPES.filter((_, index) => ids.includes(`${STATEMENT.type}.${index + 1}`))
}

// ISO 3166-1, two letters; a list that is empty would take the Union's law away and put nothing in its place.
function readCountries(node: DerNode | undefined): readonly string[] {
  const countries = expectTag(node, TAG.sequence, "QC legislation").children.map((country) =>
    Buffer.from(expectTag(country, TAG.printableString, "country").content).toString("latin1"),
  )
  if (countries.length === 0 || !countries.every((country) => /^[A-Z]{2}$/.test(country)))
    throw new DerError("a QC legislation of no country")
  return countries
}

export function writeQcStatements({ isQualified, isInDevice, types, countries }: QcStatements): Extension {
  const statements: Uint8Array[] = []
  if (isQualified) statements.push(sequence(oid(STATEMENT.compliance)))
  if (isInDevice) statements.push(sequence(oid(STATEMENT.device)))
  const ids = types.map((type) => oid(`${STATEMENT.type}.${TYPES.indexOf(type) + 1}`))
  if (ids.length > 0) statements.push(sequence(oid(STATEMENT.type), sequence(...ids)))
  if (countries !== undefined)
    statements.push(sequence(oid(STATEMENT.legislation), sequence(...countries.map(printableString))))
  return { id: EXTENSION.qcStatements, critical: false, value: sequence(...statements) }
}
