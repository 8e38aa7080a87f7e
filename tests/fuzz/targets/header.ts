// Headers of requests: each by a second reader that follows the grammar of RFC 9110 letter by letter, and names of files by Node's
// own rules of what may stand in a header.

import { validateHeaderValue } from "node:http"
import { LANGUAGES } from "@paraph/core/language"
import { accepted } from "../../../apps/server/src/http/app/language.ts"
import { rangeOf } from "../../../apps/server/src/http/documents/range.ts"
import { contentDisposition, pdfName } from "../../../apps/server/src/http/file-name.ts"
import {
  meetsIfMatch,
  meetsIfNoneMatch,
} from "../../../apps/server/src/http/signature-requests/entity-tag.ts"
import { must, type Target } from "../target.ts"
import { inText, Nothing, texts } from "../texts.ts"

export const acceptedLanguages: Target = {
  name: "accept-language",
  kind: "words",
  words: [
    "de",
    "de-CH",
    "fr",
    "it",
    "en",
    "*",
    "q=0",
    ";q=0.001",
    ";q=1.000",
    ";q=1e9",
    ";q=-1",
    ";Q=.5",
    "; q = 1",
    ",",
  ],
  seeds: () =>
    texts(
      "de-CH, de;q=0.9, en;q=0.8",
      "fr;q=0, it",
      "pt, *;q=0.1",
      "en;q=0.5;x=1,de;q=0.50",
      "DE",
      "de;q=2",
      "",
    ),
  refusals: [Nothing],
  run: (input) => {
    const header = inText(input)
    const found = accepted(header)
    must(found === null || LANGUAGES.includes(found), "a language is one of ours")
    const wanted = byGrammar(header)
    if (wanted !== null) must(found === wanted, "it is the one that is weighed most")
    if (found === null) throw new Nothing("none of ours")
    must(new RegExp(`(^|[\\s,])${found}`, "i").test(header), "it was named")
    return `${found} ${wanted !== null}`
  },
}

const RANGE =
  /^[ \t]*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)(?:[ \t]*;[ \t]*[qQ]=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?[ \t]*$/

/** Null where the header is not of the grammar (12.4.2, 12.5.4), or longer than what is looked at. */
function byGrammar(header: string): string | null {
  const ranges = header.split(",")
  if (header.length > 1000 || ranges.length > 20) return null
  let best: { readonly language: string; readonly weight: number } | null = null
  for (const range of ranges) {
    const [, tag = "", weight = "1"] = RANGE.exec(range) ?? []
    if (tag === "") return null
    const language = LANGUAGES.find((one) => one === tag.toLowerCase().split("-")[0])
    if (language !== undefined && Number(weight) > (best?.weight ?? 0))
      best = { language, weight: Number(weight) }
  }
  return best?.language ?? null
}

const SIZE = 1000
const TAG = `"${"ab".repeat(32)}"`

export const ranges: Target = {
  name: "range",
  kind: "words",
  words: [
    "bytes=",
    "BYTES=",
    "-",
    "0-",
    "-0",
    "999-",
    "1000-",
    "-1001",
    ",",
    "9007199254740993",
    "1e3",
    TAG,
    "\n",
  ],
  seeds: () =>
    texts(
      ...[
        "bytes=0-99",
        "bytes=900-",
        "bytes=-1",
        "bytes=-5000",
        "bytes=1000-",
        "bytes=5-4",
        "bytes=0-0,5-6",
        "bytes=-0",
      ],
      ...[`bytes=0-0\n${TAG}`, 'bytes=0-0\n"x"', "items=0-1", "bytes=999-99999999999999999999"],
    ),
  refusals: [Nothing],
  run: (input) => {
    const [range = "", ifRange] = inText(input).split("\n")
    const found = rangeOf({ range, ...(ifRange !== undefined && { "if-range": ifRange }) }, TAG, SIZE)
    const wanted = ifRange === undefined || ifRange === TAG ? octetsOf(range) : null
    if (found === null || found === "unsatisfiable") {
      must(found === wanted, "what is refused has no octets of the document")
      throw new Nothing(String(found))
    }
    must(Array.isArray(wanted), "what is answered in part was asked for in part")
    must(`${found.start} ${found.end - 1}` === wanted?.toString().replace(",", " "), "it is the very part")
    must(found.start >= 0 && found.start < found.end && found.end <= SIZE, "it lies in the document")
    return `${found.start === 0} ${found.end === SIZE}`
  },
}

/** 14.1.2: first and last octet of one range, by figures without a limit. */
function octetsOf(header: string): readonly number[] | "unsatisfiable" | null {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/i.exec(header) ?? []
  if (from === "" && to === "") return null
  const size = BigInt(SIZE)
  if (from === "") {
    const start = BigInt(to) >= size ? 0n : size - BigInt(to)
    return start >= size ? "unsatisfiable" : [Number(start), SIZE - 1]
  }
  if (to !== "" && BigInt(to) < BigInt(from)) return null
  if (BigInt(from) >= size) return "unsatisfiable"
  return [Number(from), to === "" || BigInt(to) >= size ? SIZE - 1 : Number(to)]
}

export const entityTags: Target = {
  name: "entity-tag",
  kind: "words",
  words: [TAG, `W/${TAG}`, "*", ",", '"', "W/", '""', " "],
  seeds: () => texts(TAG, `W/${TAG}`, `"x", ${TAG}`, "*", '"a,b"', `"x",W/"y" , ${TAG}`, TAG.slice(1), ""),
  refusals: [Nothing],
  run: (input) => {
    const header = inText(input)
    const tags = tagsBy(header)
    const [strong, weak] = [meetsIfMatch(header, TAG), meetsIfNoneMatch(header, TAG)]
    must(!strong || weak, "what is the same octet by octet is the same")
    if (tags === null) {
      must(!strong || header.includes(TAG), "only who names a document changes it")
      throw new Nothing(`not by the grammar, ${weak}`)
    }
    const any = header.trim() === "*"
    must(strong === (any || tags.includes(TAG)), "If-Match is met by the very same tag")
    must(
      weak === (any || tags.some((tag) => tag.replace(/^W\//, "") === TAG)),
      "If-None-Match by a weak one too",
    )
    return `${strong} ${weak} ${any}`
  },
}

/** 8.8.3 and 13.1: a list of entity tags, or null for what is none. Commas may stand within a tag. */
function tagsBy(header: string): readonly string[] | null {
  if (header.trim() === "*") return []
  const one = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"'
  if (!new RegExp(`^[ \\t]*${one}(?:[ \\t]*,[ \\t]*${one})*[ \\t]*$`).test(header)) return null
  return header.match(new RegExp(one, "g")) ?? []
}

export const fileNames: Target = {
  name: "file-name",
  kind: "words",
  words: [
    ".pdf",
    ".PDF",
    "..",
    "\u202egnp.fdp",
    "\\",
    "/",
    ":",
    "CON",
    ".",
    " .pdf",
    "%",
    "%22",
    "''",
    "; filename=",
    '"',
  ],
  seeds: () =>
    texts(
      ...[
        "Lease.pdf",
        "Müller & Söhne – Vertrag.PDF",
        "../../etc/passwd",
        'a"; filename="b.exe',
        "\u202efdp.exe",
        "",
      ],
      ...[
        "a\r\nSet-Cookie: x=1",
        "合同.pdf",
        "😀".repeat(200),
        "a.pdf.pdf",
        ". . .",
        "%2e%2e%2f",
        "e\u0301.pdf",
      ],
    ),
  refusals: [Nothing],
  run: (input) => {
    const title = inText(input)
    const header = contentDisposition(title, "attachment")
    validateHeaderValue("content-disposition", header)
    const [, plain = "", encoded = ""] =
      /^attachment; filename="([^"]*)"; filename\*=UTF-8''(\S+)$/.exec(header) ?? []
    const name = pdfName(title)
    must(decodeURIComponent(encoded) === name, "both names are the one of the file")
    must(/^[A-Za-z0-9!#$&+.^_`|~%-]+$/.test(encoded), "the encoded name is one value by RFC 8187")
    must(plain.endsWith(".pdf") || plain.toLowerCase().endsWith(".pdf"), "the plain name ends as it should")
    must(!/[\\%;\x7f]/.test(plain) && !/[^\x20-\x7e]/.test(plain), "the plain name can be read by everybody")
    must(!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\\/:*?"<>|]/u.test(name), "a name hides nothing and leads nowhere")
    must(
      !/^[.\s]|\.\.|[.\s]$/u.test(name.replace(/\.{2,}(?=[^.])/g, "")),
      "a name is no folder, and none that is hidden",
    )
    must([...name].length <= 124 && name.isWellFormed(), "a name is bounded")
    must(pdfName(name) === name, "the name of a name is itself")
    if (name === "document.pdf") throw new Nothing("no name")
    return `${plain === name}`
  },
}
