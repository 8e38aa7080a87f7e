// A form with a file, as browsers and programs send it: however it is cut into pieces, the file and the fields are the same, and
// they are those that undici reads.

import { Refusal } from "@paraph/core/refusal"
import { readMultipart } from "../../../apps/server/src/http/documents/multipart.ts"
import { must, same, type Target } from "../target.ts"
import { Nothing, texts } from "../texts.ts"

const FORM = [
  "--b",
  'Content-Disposition: form-data; name="title"',
  "",
  "Lease.pdf",
  "--b",
  'Content-Disposition: form-data; name="content"; filename="a.pdf"',
  "Content-Type: application/pdf",
  "",
  "%PDF-1.7",
  "--b--",
  "",
].join("\r\n")

export const forms: Target = {
  name: "form",
  kind: "words",
  words: [
    "--b\r\n",
    "--b--",
    "\r\n\r\n",
    "\r\n",
    "Content-Disposition: form-data; name=",
    '"content"',
    '; filename="x"',
    "filename*=utf-8''",
    "__proto__",
  ],
  seeds: () =>
    texts(
      FORM,
      FORM.replace('name="content"', 'name="other"'),
      FORM.replace('; filename="a.pdf"', ""),
      FORM.replace("--b--\r\n", ""),
      `${FORM.slice(0, FORM.indexOf("--b--"))}${FORM}`,
    ),
  refusals: [Nothing],
  run: async (input) => {
    const read = await Promise.all([input.length, 1, 7].map((size) => formIn(input, size)))
    const theirs = await undiciIn(input)
    // The parser passes over a part whose headers do not end, or never ends itself, which we refuse: that may depend on the pieces.
    const taken = read.filter((form) => form !== null)
    for (const { fields, file, contentType } of taken) {
      must(
        JSON.stringify(fields) === JSON.stringify(taken[0]?.fields),
        "what is in its fields does not depend on the pieces",
      )
      must(same(file, taken[0]?.file ?? new Uint8Array()), "nor does the file")
      must(
        Object.values(fields).every((value) => typeof value === "string"),
        "a field is a text",
      )
      must(Object.getPrototypeOf(fields) === Object.prototype, "it is plain data")
      must(file.length === 0 || Buffer.from(input).includes(file), "the file is a piece of the body")
      // Of what is not well written undici takes more than we do; what both have taken is the same.
      if (theirs !== null && contentType !== null)
        must(same(file, theirs.file), "the file is the one that undici reads")
      for (const [name, value] of Object.entries(theirs?.fields ?? {}))
        must(!Object.hasOwn(fields, name) || fields[name] === value, "the fields are those that undici reads")
    }
    if (taken.length === 0) throw new Nothing("refused")
    const [{ fields = {}, file = new Uint8Array() } = {}] = taken
    return `${Object.keys(fields).length} ${file.length > 0} ${theirs !== null}`
  },
}

/** By the reader of forms that Node has; null for what it does not take, and for what we do not: two of one name. */
async function undiciIn(input: Uint8Array) {
  const headers = { "content-type": "multipart/form-data; boundary=b" }
  // Where it ends twice, each reader has an end of its own.
  if (Buffer.from(input).toString("latin1").split("--b--").length !== 2) return null
  const form = await new Response(Buffer.from(input), { headers }).formData().catch(() => null)
  const entries = [...(form?.entries() ?? [])]
  if (form === null || new Set(entries.map(([name]) => name)).size < entries.length) return null
  const fields: Record<string, string> = {}
  let file: Uint8Array = new Uint8Array()
  for (const [name, value] of entries) {
    if (typeof value === "string") fields[name] = value
    else file = new Uint8Array(await value.arrayBuffer())
  }
  return { fields, file }
}

async function formIn(input: Uint8Array, size: number) {
  const parts: Buffer[] = []
  const hold = async (file: AsyncIterable<Uint8Array>) => {
    for await (const piece of file) parts.push(Buffer.from(piece))
  }
  try {
    const headers = { "content-type": "multipart/form-data; boundary=b" }
    const { fields, contentType } = await readMultipart(headers, pieces(input, size), hold)
    return { fields, contentType, file: Buffer.concat(parts) }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

async function* pieces(input: Uint8Array, size: number) {
  for (let at = 0; at < input.length; at += Math.max(1, size))
    yield Buffer.from(input.subarray(at, at + size))
}
