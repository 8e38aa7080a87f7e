// Rows of labels and texts. What a file or a certificate says may be anything: whatever could deceive in it is replaced.

import type { Row } from "@paraph/pades/paper-block"
import { shownText } from "@paraph/pki/shown-text"

/** Without a text there is no row. */
export function row(label: string, text: string | undefined): readonly Row[] {
  return text === undefined || text === "" ? [] : [{ label, text }]
}

/** Of what a stranger wrote. */
export function foreignRow(label: string, text: string | undefined): readonly Row[] {
  return row(label, text === undefined ? undefined : shortened(shownText(text)))
}

const MAX_LENGTH = 300

export function shortened(text: string, most = MAX_LENGTH): string {
  const characters = Array.from(text)
  return characters.length <= most ? text : `${characters.slice(0, most).join("")}…`
}

/** Hexadecimal in groups of sixteen, which people can compare. */
export function grouped(hex: string): string {
  return hex.replace(/.{16}(?=.)/g, "$& ")
}
