// A distinguished name as people read it (RFC 4514): to show, never to decide by. Without controls, and of bounded length.

import { expectTag, readDer, readOid, TAG } from "../der/der.ts"
import { shownText } from "../der/shown-text.ts"
import { readDirectoryText } from "./name.ts"

// RFC 4514, 3, and what certificates for signatures have beside it (ETSI EN 319 412-2, 4.2.4).
const SHORT: Readonly<Record<string, string>> = {
  "2.5.4.3": "CN",
  "2.5.4.4": "SN",
  "2.5.4.5": "serialNumber",
  "2.5.4.6": "C",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.9": "STREET",
  "2.5.4.10": "O",
  "2.5.4.11": "OU",
  "2.5.4.12": "title",
  "2.5.4.42": "givenName",
  "2.5.4.65": "pseudonym",
  "2.5.4.97": "organizationIdentifier",
  "0.9.2342.19200300.100.1.1": "UID",
  "0.9.2342.19200300.100.1.25": "DC",
  "1.2.840.113549.1.9.1": "emailAddress",
}

const MAX_LENGTH = 1000

export function nameText(name: Uint8Array): string {
  const relatives = expectTag(readDer(name), TAG.sequence, "name").children.map((relative) =>
    relative.children
      .map(({ children: [type, value] }) => {
        const id = readOid(type, "name attribute")
        const text = value && readDirectoryText(value)
        const hex = `#${Buffer.from(value?.bytes ?? []).toString("hex")}`
        return `${SHORT[id] ?? id}=${text === undefined ? hex : escaped(shownText(text))}`
      })
      .join("+"),
  )
  // RFC 4514, 2.1: the last one first.
  return relatives.reverse().join(", ").slice(0, MAX_LENGTH)
}

// RFC 4514, 2.4
function escaped(text: string): string {
  return text.replace(/["+,;<>\\]/g, "\\$&").replace(/^[ #]| $/g, "\\$&")
}
