// Whether two AlgorithmIdentifiers name the same algorithm (RFC 5280, 4.1.1.2). Writers disagree on how to say that there
// are no parameters: NULL and nothing at all mean the same (RFC 4055, 2.1 and 5; RFC 5754, 2), also inside those of RSASSA-PSS.

import { type DerNode, TAG } from "../der/der.ts"

export function isSameAlgorithm(one: DerNode, other: DerNode): boolean {
  if (one.tag !== other.tag) return false
  const [parts, others] = [partsOf(one), partsOf(other)]
  if (parts.length === 0 || others.length === 0) return equal(one.content, other.content)
  return (
    parts.length === others.length &&
    parts.every((part, i) => {
      const match = others[i]
      return match !== undefined && isSameAlgorithm(part, match)
    })
  )
}

/** The children; of an AlgorithmIdentifier without its NULL. */
function partsOf({ tag, children }: DerNode): readonly DerNode[] {
  const [first, second, ...more] = children
  const isIdentifier = tag === TAG.sequence && first?.tag === TAG.oid
  return isIdentifier && second?.tag === TAG.null && more.length === 0 ? [first] : children
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
