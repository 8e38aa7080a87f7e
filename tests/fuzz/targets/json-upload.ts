// A JSON body whose `content` is taken out while it arrives: the same is accepted as by reading the whole of it with
// JSON.parse, and gives the same bytes and the same rest, however the body is cut into chunks.

import { isDeepStrictEqual } from "node:util"
import { createContentScanner } from "@paraph/contract/shared/content-scanner"
import { Refusal } from "@paraph/core/refusal"
import { must, same, type Target } from "../target.ts"

const LIMITS = { maxEncodedBytes: 96, maxDecodedBytes: 70, maxOtherBytes: 400 }

export const jsonUploads: Target = {
  name: "json-upload",
  kind: "text",
  seeds: () => SEEDS.map((text) => Buffer.from(text)),
  refusals: [Refusal],
  run: (input) => {
    const expected = readWhole(input)
    const outcomes = [[input.length], [1], [2, 3, 5], cutsOf(input)].map((sizes) => scan(input, sizes))
    for (const outcome of outcomes) {
      must(
        outcome instanceof Refusal === (expected === null),
        "it accepts what JSON.parse and our rules accept",
      )
      if (outcome instanceof Refusal || expected === null) continue
      must(same(outcome.bytes, expected.bytes), "the bytes are those of content")
      must(outcome.hadContent === expected.hadContent, "it knows whether there was a content")
      must(isDeepStrictEqual(outcome.body, expected.body), "the rest is what JSON.parse makes of it")
    }
    const refused = outcomes.find((outcome) => outcome instanceof Refusal)
    if (refused instanceof Refusal) throw refused
    return `${expected?.hadContent} ${expected?.bytes.length} ${Object.keys(Object(expected?.body)).length}`
  },
}

const SEEDS = [
  '{"title":"Lease.pdf","content":"JVBERi0xLjcK","content_type":"application/pdf"}',
  '{ "content" : "\\/\\/8=" ,\r\n\t"title" : "a \\"content\\": \\\\" }',
  '{"a":{"content":"AAAA","b":[{"content":null},"content"]},"content":"AAA=","file_url":null}',
  '{"c\\u006fntent":"AA==","\\u0063":"\\ud83d\\ude00é","constructor":{"prototyp":1}}',
  '{"content":"","title":""}',
  '{"title":"t","file_url":"https://a.example/","n":[-1.5e3,true,false,null,0]}',
  '{"content":null}',
  '{"content":{"content":"AAAA"},"__prot__":{}}',
  "{}",
  // As long, as many and as deep as may be, and one more.
  `{"content":"${"A".repeat(92)}A8==","deep":${"[".repeat(19)}${"]".repeat(19)}}`,
  `{"content":"${"A".repeat(93)}AA="}`,
  `{"deep":${"[".repeat(20)}${"]".repeat(20)}}`,
  `{"content":"${"A".repeat(96)}"}`,
  `{"content":"${"A".repeat(97)}"}`,
  `{"deep":${'{"a":'.repeat(19)}{}${"}".repeat(20)}`,
  `{"title":"${" ".repeat(LIMITS.maxOtherBytes - 12)}"}`,
  `{"title":"${" ".repeat(LIMITS.maxOtherBytes - 11)}"}`,
  // What is refused for one reason alone.
  '{"content":"AAAA","content":"AAAA"}',
  '{"content":"AA-A"}',
  '{"content":"AA_A"}',
  '{"content":"AA=A"}',
  '{"content":"AA==AA=="}',
  '{"content":"AAAA\\"}',
  '{"content":"AAAA"}}',
  '\ufeff{"content":"AAAA"}',
  '{"a":[{"__proto__":1}]}',
  '{"a":[{"constructor":{"prototype":1}}]}',
]

type Read = { readonly bytes: Uint8Array; readonly body: unknown; readonly hadContent: boolean }

function scan(input: Uint8Array, sizes: readonly number[]): Read | Refusal {
  const scanner = createContentScanner(LIMITS)
  const pieces: Uint8Array[] = []
  try {
    for (let at = 0, n = 0; at < input.length; n++) {
      const size = Math.max(1, sizes[n % sizes.length] ?? 1)
      pieces.push(scanner.push(input.subarray(at, at + size)))
      at += size
    }
    return { bytes: Buffer.concat(pieces), ...scanner.end() }
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Other cuts for other inputs, and the same for the same. */
function cutsOf(input: Uint8Array): readonly number[] {
  return [...input.subarray(0, 40)].map((byte) => 1 + (byte % 37))
}

/** The same by another way: all of it at once, and token by token. Null for what must be refused. */
function readWhole(input: Uint8Array): Read | null {
  const text = textOf(input)
  const value = text === null ? null : parsed(text)
  if (text === null || value === null || typeof value !== "object" || Array.isArray(value)) return null
  const outline = outlineOf(text)
  if (outline.depth > 20 || outline.names.length > 1000) return null
  if (new Set(outline.names).size < outline.names.length || isPoisoned(value)) return null
  const { content }: { content?: unknown } = value
  if (typeof content !== "string")
    return input.length > LIMITS.maxOtherBytes
      ? null
      : { bytes: new Uint8Array(), body: value, hadContent: false }
  const written = outline.content ?? ""
  if (input.length - Buffer.byteLength(written) + 2 > LIMITS.maxOtherBytes) return null
  if (!BASE64.test(content) || JSON.stringify(content) !== written.replaceAll("\\/", "/")) return null
  const bytes = Buffer.from(content, "base64")
  if (content.length > LIMITS.maxEncodedBytes || bytes.length > LIMITS.maxDecodedBytes) return null
  return { bytes, body: { ...value, content: "" }, hadContent: true }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function textOf(input: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(input)
  } catch {
    return null
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

type Outline = {
  readonly depth: number
  readonly names: readonly string[]
  readonly content: string | undefined
}

/** Of a text that is JSON: how deep it goes, the names of the outermost object, and how its `content` is written. */
function outlineOf(text: string): Outline {
  const names: string[] = []
  let content: string | undefined
  let [depth, deepest] = [0, 0]
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g) ?? []
  for (const [i, token] of tokens.entries()) {
    if (token === "{" || token === "[") deepest = Math.max(deepest, ++depth)
    if (token === "}" || token === "]") depth -= 1
    if (depth !== 1 || token !== ":") continue
    const name: string = JSON.parse(tokens[i - 1] ?? "")
    names.push(name)
    if (name === "content") content = tokens[i + 1]
  }
  return { depth: deepest, names, content }
}

/** What Fastify's own parser refuses: `__proto__`, and a `constructor` with a `prototype`. */
function isPoisoned(value: unknown): boolean {
  let poisoned = false
  JSON.stringify(value, (name, one: unknown) => {
    if (name === "__proto__") poisoned = true
    if (name === "constructor" && typeof one === "object" && one !== null && !Array.isArray(one))
      poisoned ||= Object.keys(one).includes("prototype")
    return one
  })
  return poisoned
}
