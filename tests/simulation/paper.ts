import { createHash } from "node:crypto"
import type { PreparedMark } from "@paraph/core/signature-request/intent"

/**
 * Documents of this world are texts that grow as a PDF does: an upload, and behind it marks and time-stamps, each a line. A mark says
 * which bytes it was made on, and its value says what the key has signed, so that whoever reads the text can check both.
 */

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16)

export type MarkLine = {
  readonly field: string
  readonly base: string
  readonly certificate: string
  readonly nonce: string
}

export const prepared = (line: MarkLine): PreparedMark => ({
  signedAttributes: Buffer.from(spelled(line)).toString("base64"),
  certificateSha256: line.certificate,
  baseSha256: line.base,
  engine: line,
})

const spelled = ({ field, base, certificate, nonce }: MarkLine): string =>
  [field, base, certificate, nonce].join(" ")

/** A signature over what was prepared; `use` differs with every use of the key. */
export const signatureOver = (signedAttributes: string, use: number): string =>
  `${sha256(Buffer.from(signedAttributes, "base64").toString())}.${use}`

export const stampOf = (value: string, at: number): string => `${sha256(value)}@${at}`

export const finished = (mark: PreparedMark, value: string, stamp: string | null): string =>
  `\nmark ${spelled(mark.engine as MarkLine)} ${value} ${stamp ?? "-"}`

export const raised = (to: "B-LT" | "B-LTA"): string => (to === "B-LTA" ? "\narchived" : "\nlasting")

export type ReadMark = MarkLine & {
  readonly value: string
  readonly stamp: string
  /** Everything before it. */
  readonly prefix: string
}

export function marksIn(text: string): readonly ReadMark[] {
  const marks: ReadMark[] = []
  let offset = 0
  for (const line of text.split("\n")) {
    const [kind, field = "", base = "", certificate = "", nonce = "", value = "", stamp = ""] =
      line.split(" ")
    const prefix = text.slice(0, Math.max(0, offset - 1))
    if (kind === "mark") marks.push({ field, base, certificate, nonce, value, stamp, prefix })
    offset += line.length + 1
  }
  return marks
}

/** What is wrong with a mark, or null. */
export function faultOf({ prefix, base, value, stamp, ...line }: ReadMark): string | null {
  if (sha256(prefix) !== base) return "was made on other bytes"
  const [signed = "", use = ""] = value.split(".")
  if (signed !== sha256(spelled({ base, ...line })) || use === "") return "has the value of another one"
  if (stamp !== "-" && stamp.split("@", 1)[0] !== sha256(value)) return "has the time-stamp of another one"
  return null
}
