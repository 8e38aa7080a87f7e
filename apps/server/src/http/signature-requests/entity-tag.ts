import { createHash } from "node:crypto"

/** RFC 9110, 8.8.3: of an answer as this version writes it. */
export const entityTag = (answer: object): string =>
  `"${createHash("sha256").update(JSON.stringify(answer)).digest("base64url")}"`

/** RFC 9110, 13.1.1: only what is the same byte for byte fits. */
export const meetsIfMatch = (header: string, tag: string): boolean =>
  header.trim() === "*" || tagsOf(header).includes(tag)

/** RFC 9110, 13.1.2: whether a tag is called weak makes no difference here. */
export const meetsIfNoneMatch = (header: string, tag: string): boolean =>
  header.trim() === "*" || tagsOf(header).some((one) => one.replace(/^W\//, "") === tag)

const tagsOf = (header: string): readonly string[] => header.split(",").map((one) => one.trim())
