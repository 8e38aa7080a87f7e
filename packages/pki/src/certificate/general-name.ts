// GeneralName (RFC 5280, 4.2.1.6): the eight forms in which a certificate names somebody or some place.

import { DerError, type DerNode, expectTag, readOid, TAG } from "../der/der.ts"
import { explicit, implicit, octetString } from "../der/der-writer.ts"

export type GeneralName =
  | { readonly form: "rfc822Name" | "dNSName" | "uniformResourceIdentifier"; readonly text: string }
  /** The encoded Name. */
  | { readonly form: "directoryName"; readonly name: Uint8Array }
  /** Four or sixteen octets; twice as many in a name constraint. */
  | { readonly form: "iPAddress"; readonly octets: Uint8Array }
  | { readonly form: "registeredID"; readonly id: string }
  | { readonly form: "otherName" | "x400Address" | "ediPartyName"; readonly content: Uint8Array }

export function readGeneralNames(node: DerNode): readonly GeneralName[] {
  if (node.children.length === 0) throw new DerError("an empty list of names")
  return node.children.map(readGeneralName)
}

export function readGeneralName(node: DerNode): GeneralName {
  switch (node.tag) {
    case 0xa0:
      return { form: "otherName", content: node.content }
    case 0x81:
      return { form: "rfc822Name", text: ia5(node) }
    case 0x82:
      return { form: "dNSName", text: ia5(node) }
    case 0xa3:
      return { form: "x400Address", content: node.content }
    case 0xa4: {
      const [name, ...rest] = node.children
      if (rest.length > 0) throw new DerError("a directory name of more than one part")
      return { form: "directoryName", name: expectTag(name, TAG.sequence, "directory name").bytes }
    }
    case 0xa5:
      return { form: "ediPartyName", content: node.content }
    case 0x86:
      return { form: "uniformResourceIdentifier", text: ia5(node) }
    case 0x87:
      return { form: "iPAddress", octets: node.content }
    case 0x88:
      return { form: "registeredID", id: readOid({ ...node, tag: TAG.oid }, "registered id") }
    default:
      throw new DerError(`a general name with tag ${node.tag.toString(16)}`)
  }
}

// IA5String is ASCII. A NUL or an octet above 7F in a name has been used to make two readers see two names.
function ia5({ content }: DerNode): string {
  if (content.some((octet) => octet === 0 || octet > 0x7f)) throw new DerError("a name that is not IA5String")
  return Buffer.from(content).toString("latin1")
}

/** The addresses among names. RFC 3986, 2: one with a space or a control in it is none, and must not get into a log. */
export function addressesOf(names: readonly GeneralName[]): readonly string[] {
  return names.flatMap((name) =>
    name.form === "uniformResourceIdentifier" && isAddress(name.text) ? [name.text] : [],
  )
}

function isAddress(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

export function writeUri(uri: string): Uint8Array {
  if (!isAddress(uri)) throw new DerError("an address that is not IA5String")
  return implicit(6, octetString(Buffer.from(uri, "latin1")))
}

export function writeDirectoryName(name: Uint8Array): Uint8Array {
  return explicit(4, name)
}
