// What a document says about itself: the metadata (ISO 32000-2, 14.3.2) and the older information dictionary (14.3.3).
// Whoever saves a document notes when and with what. Its title, its author and what it claims to conform to are part of
// what was signed.

import { decodeText } from "../content/pdfa.ts"
import { PdfRefused } from "../refused.ts"
import { readStream } from "../structure/document.ts"
import { entry } from "../syntax/value.ts"
import { trailerOf } from "./catalog.ts"
import { rootOf } from "./fields.ts"
import { differ, find, isDictPlace, keysThatDiffer, type Place, type Step, under } from "./step.ts"
import type { View } from "./view.ts"
import { readProperties } from "./xmp.ts"

const OF_SAVING = new Set(["ModDate", "Producer"])

export function judgeInformation(step: Step): void {
  const [old, now] = [under(step, trailerOf(step.before), "Info"), under(step, trailerOf(step.after), "Info")]
  if (!differ(old, now) || now.value === null) return
  if (!isDictPlace(now) || now.isStream) {
    find(step, "/Info of the trailer", "metadata", "never")
    return
  }
  const keys = isDictPlace(old) ? keysThatDiffer(old, now) : [...now.value.entries.keys()]
  for (const key of keys) {
    const value = entry(now.value, key)
    const isText = value === null || (typeof value === "object" && value.type === "string")
    const isOfSaving = isText && (OF_SAVING.has(key) || (old.value === null && key === "CreationDate"))
    find(step, `/Info/${key} of the trailer`, "metadata", isOfSaving ? "nothing" : "never")
  }
}

const MAX_METADATA_BYTES = 4_000_000

export function judgeMetadata(step: Step): void {
  const [old, now] = [
    under(step, rootOf(step.before), "Metadata"),
    under(step, rootOf(step.after), "Metadata"),
  ]
  if (old.home === now.home && !step.changed.has(now.home)) return
  if (now.value === null && old.value === null) return
  if (!isMetadata(now) || !isDescribedAlike(old, now)) {
    find(step, "/Metadata", "metadata", "never")
    return
  }
  const [before, after] = [textIn(step.before, "Metadata"), textIn(step.after, "Metadata")]
  const properties = after === undefined ? undefined : readProperties(after)
  const known =
    old.value === null ? new Set<string>() : before === undefined ? undefined : readProperties(before)
  if (properties === undefined || known === undefined) {
    find(step, "/Metadata", "metadata", "never")
    return
  }
  const odd = [
    ...[...properties].filter((one) => !known.has(one)),
    ...[...known].filter((one) => !properties.has(one)),
  ]
  if (odd.length === 0) {
    find(step, "/Metadata", "metadata", "nothing")
    return
  }
  for (const property of odd.slice(0, 8))
    find(step, `/Metadata: ${property.slice(0, 100)}`, "metadata", "never")
}

function isMetadata(place: Place): boolean {
  if (!isDictPlace(place) || !place.isStream) return false
  const subtype = entry(place.value, "Subtype")
  return typeof subtype === "object" && subtype?.type === "name" && subtype.name === "XML"
}

// A metadata stream has nothing in it but text; how that is packed is up to its writer.
const OF_PACKING = new Set(["Length", "Filter", "DecodeParms"])
const OF_METADATA = new Set(["Type", "Subtype", ...OF_PACKING])

function isDescribedAlike(old: Place, now: Place): boolean {
  if (!isDictPlace(now)) return false
  if (isDictPlace(old)) return keysThatDiffer(old, now).every((key) => OF_PACKING.has(key))
  return [...now.value.entries.keys()].every((key) => OF_METADATA.has(key))
}

function textIn({ pdf }: View, key: string): string | undefined {
  try {
    const stream = readStream(pdf, entry(pdf.catalog, key), MAX_METADATA_BYTES)
    return stream === undefined ? undefined : decodeText(stream.bytes)
  } catch (error) {
    if (error instanceof PdfRefused || error instanceof TypeError) return undefined
    throw error
  }
}
