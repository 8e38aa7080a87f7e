// Where a CRL is found and what it covers: CRLDistributionPoints (RFC 5280, 4.2.1.13), FreshestCRL (4.2.1.15) and, on
// the side of the CRL, IssuingDistributionPoint (5.2.5).

import { DerError, type DerNode, expectTag, readBoolean, TAG } from "../der/der.ts"
import { retag } from "../der/der-writer.ts"
import { type Extension, findExtension } from "./extension.ts"
import { byTag, EXTENSION, readNamedBits } from "./extensions.ts"
import { addressesOf, type GeneralName, readGeneralNames } from "./general-name.ts"

// RFC 5280, 4.2.1.13, ReasonFlags: the position of a name in this list is its bit.
export const REASON_FLAGS = [
  "unused",
  "keyCompromise",
  "cACompromise",
  "affiliationChanged",
  "superseded",
  "cessationOfOperation",
  "certificateHold",
  "privilegeWithdrawn",
  "aACompromise",
] as const

export type ReasonFlag = (typeof REASON_FLAGS)[number]

export type DistributionPointName =
  | { readonly form: "fullName"; readonly names: readonly GeneralName[] }
  /** The encoded RelativeDistinguishedName, a SET; it continues the name of the CRL issuer. */
  | { readonly form: "nameRelativeToCRLIssuer"; readonly relative: Uint8Array }

export type DistributionPoint = {
  readonly name?: DistributionPointName
  readonly reasons?: readonly ReasonFlag[]
  readonly cRLIssuer?: readonly GeneralName[]
}

export function readCrlDistributionPoints(
  extensions: readonly Extension[],
): readonly DistributionPoint[] | undefined {
  const node = findExtension(extensions, EXTENSION.cRLDistributionPoints)
  return node && readDistributionPoints(node)
}

export function readFreshestCrl(extensions: readonly Extension[]): readonly DistributionPoint[] | undefined {
  const node = findExtension(extensions, EXTENSION.freshestCRL)
  return node && readDistributionPoints(node)
}

/** The addresses of a list of points, in their order. */
export function distributionAddresses(points: readonly DistributionPoint[]): readonly string[] {
  return points.flatMap(({ name }) => (name?.form === "fullName" ? addressesOf(name.names) : []))
}

export type IssuingDistributionPoint = {
  readonly name?: DistributionPointName
  readonly onlyContainsUserCerts: boolean
  readonly onlyContainsCACerts: boolean
  readonly onlySomeReasons?: readonly ReasonFlag[]
  readonly indirectCRL: boolean
  readonly onlyContainsAttributeCerts: boolean
}

export function readIssuingDistributionPoint(
  extensions: readonly Extension[],
): IssuingDistributionPoint | undefined {
  const node = findExtension(extensions, EXTENSION.issuingDistributionPoint)
  if (node === undefined) return undefined
  const part = byTag(expectTag(node, TAG.sequence, "issuing distribution point"))
  const flag = (tag: number) => {
    const found = part(tag)
    return found !== undefined && readBoolean({ ...found, tag: TAG.boolean }, "flag")
  }
  const name = part(0xa0)
  const reasons = part(0x83)
  return {
    ...(name && { name: readName(name) }),
    onlyContainsUserCerts: flag(0x81),
    onlyContainsCACerts: flag(0x82),
    ...(reasons && { onlySomeReasons: readNamedBits(reasons.content, REASON_FLAGS) }),
    indirectCRL: flag(0x84),
    onlyContainsAttributeCerts: flag(0x85),
  }
}

function readDistributionPoints(node: DerNode): readonly DistributionPoint[] {
  const { children } = expectTag(node, TAG.sequence, "distribution points")
  if (children.length === 0) throw new DerError("distribution points are empty")
  return children.map((point) => {
    const part = byTag(expectTag(point, TAG.sequence, "distribution point"))
    const name = part(0xa0)
    const reasons = part(0x81)
    const issuer = part(0xa2)
    if (name === undefined && issuer === undefined)
      throw new DerError("a distribution point without a name and an issuer")
    return {
      ...(name && { name: readName(name) }),
      ...(reasons && { reasons: readNamedBits(reasons.content, REASON_FLAGS) }),
      ...(issuer && { cRLIssuer: readGeneralNames(issuer) }),
    }
  })
}

// [0] holds a CHOICE and is therefore explicit: inside is [0] the full name or [1] a relative one.
function readName({ children: [choice, ...rest] }: DerNode): DistributionPointName {
  if (rest.length > 0) throw new DerError("a distribution point of more than one name")
  if (choice?.tag === 0xa0) return { form: "fullName", names: readGeneralNames(choice) }
  if (choice?.tag !== 0xa1) throw new DerError("a distribution point with an unknown form of name")
  return { form: "nameRelativeToCRLIssuer", relative: retag(choice.bytes, TAG.set) }
}
