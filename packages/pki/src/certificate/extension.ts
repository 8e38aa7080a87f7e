// The list of extensions of a certificate, a CRL or a CRL entry (RFC 5280, 4.1 and 4.2). What is inside one is read
// only when somebody asks, so that an extension nobody needs cannot spoil a certificate.

import { DerError, type DerNode, expectTag, readDer, readOid, TAG } from "../der/der.ts"

export type Extension = {
  readonly id: string
  readonly critical: boolean
  /** What the OCTET STRING holds: an encoding of its own. */
  readonly value: Uint8Array
}

const MAX_EXTENSIONS = 100

/** Extensions ::= SEQUENCE OF Extension; RFC 5280, 4.2: none may appear twice. */
export function readExtensions(node: DerNode | undefined): readonly Extension[] {
  const { children } = expectTag(node, TAG.sequence, "extensions")
  if (children.length === 0) throw new DerError("an empty list of extensions")
  if (children.length > MAX_EXTENSIONS) throw new DerError("too many extensions")
  const extensions = children.map(readExtension)
  if (new Set(extensions.map(({ id }) => id)).size !== extensions.length)
    throw new DerError("an extension that appears twice")
  return extensions
}

function readExtension(node: DerNode): Extension {
  const [id, second, third, ...rest] = expectTag(node, TAG.sequence, "extension").children
  const critical = second?.tag === TAG.boolean
  // FALSE is the default, which DER leaves out; but many authorities write it, and it says the same.
  const value = critical ? third : second
  if (rest.length > 0 || (!critical && third !== undefined)) throw new DerError("an extension of odd parts")
  return {
    id: readOid(id, "extension"),
    critical: critical && second.content[0] === 0xff,
    value: expectTag(value, TAG.octetString, "extension value").content,
  }
}

/** The value of an extension, read; undefined if there is none. */
export function findExtension(extensions: readonly Extension[], id: string): DerNode | undefined {
  const found = extensions.find((extension) => extension.id === id)
  return found === undefined ? undefined : readDer(found.value)
}
