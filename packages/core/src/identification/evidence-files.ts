import { LIMITS } from "../limits.ts"
import type { Verdict } from "./judge.ts"
import type { FetchEvidence, Told } from "./ports.ts"
import type { Row } from "./verified-claims.ts"

export type NewFile = {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** What the claims were, for whoever reads the evidence as JSON. */
export const CLAIMS_FILE = "verified-claims.json"
/** What the provider signed, by which keys: whoever has both can check it without us. */
export const TOKEN_FILE = "userinfo.jwt"
export const KEYS_FILE = "provider-keys.json"

/**
 * The evidence that is kept of an answer: the provider's own token, its keys, the claims, and the files that they name. Nothing is
 * kept of an answer that says nothing yet, nor of somebody who is another person.
 */
export async function filesOf(
  { fetchEvidence }: { readonly fetchEvidence: FetchEvidence },
  provider: string,
  { userInfo, keys }: Told,
  verdict: Verdict | null,
): Promise<readonly NewFile[] | "invalid"> {
  if (verdict?.type !== "accept" && verdict?.type !== "pend") return []
  const { verified } = verdict
  const given = verified.evidence.flatMap(({ files }) => files)
  if (given.length > LIMITS.evidenceFiles) return "invalid"
  const files: NewFile[] = [
    { filename: TOKEN_FILE, contentType: "application/jwt", bytes: utf8(userInfo) },
    { filename: KEYS_FILE, contentType: "application/jwk-set+json", bytes: utf8(keys) },
    { filename: CLAIMS_FILE, contentType: "application/json", bytes: utf8(shown(verified.told)) },
  ]
  for (const [index, file] of given.entries()) {
    const bytes = await fetchEvidence(provider, file)
    if (bytes === "invalid") return "invalid"
    const { contentType, ending } = typeOf(file.contentType)
    files.push({ filename: `evidence-${index + 1}.${ending}`, contentType, bytes })
  }
  return files
}

/** What is none of these is handed on as bytes that no browser shows. */
const ENDINGS: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "application/pdf": "pdf",
  "video/mp4": "mp4",
  "text/plain": "txt",
}

function typeOf(contentType: string): { readonly contentType: string; readonly ending: string } {
  const plain = contentType.split(";")[0]?.trim().toLowerCase() ?? ""
  const ending = Object.hasOwn(ENDINGS, plain) ? ENDINGS[plain] : undefined
  return ending === undefined
    ? { contentType: "application/octet-stream", ending: "bin" }
    : { contentType: plain, ending }
}

/** Without the bytes of the files, which lie beside it. */
const shown = (told: Row): string =>
  JSON.stringify(told, (name, value: unknown) =>
    name === "content" || name === "access_token" ? undefined : value,
  )

/** Core knows no platform: what JSON and tokens are made of is written as UTF-8 by hand. */
function utf8(text: string): Uint8Array {
  const escaped = encodeURIComponent(text.toWellFormed())
  return Uint8Array.from(escaped.match(/%[0-9A-F]{2}|[^%]/g) ?? [], (one) =>
    one.length === 3 ? Number.parseInt(one.slice(1), 16) : one.charCodeAt(0),
  )
}
