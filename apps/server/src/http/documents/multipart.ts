import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { setImmediate as nextTurn } from "node:timers/promises"
import { Busboy, type BusboyInstance } from "@fastify/busboy"
import type { Bytes } from "@paraph/core/document/ports"
import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import type { FastifyRequest } from "fastify"

type Headers = FastifyRequest["headers"]

export type Multipart = {
  readonly fields: Readonly<Record<string, string>>
  /** Of the file; null where there was none. */
  readonly contentType: string | null
}

const PARTS = { files: 1, fields: 16, parts: 17, fieldSize: 16_384, fieldNameSize: 100, headerPairs: 20 }

/** RFC 7578, while it arrives: at most one file, named `content`, and some fields of text. */
export async function readMultipart(
  headers: Headers,
  body: Bytes,
  hold: (file: Bytes) => Promise<unknown>,
): Promise<Multipart> {
  const type = headers["content-type"] ?? ""
  const fields: Record<string, string> = {}
  let contentType: string | null = null
  let held: Promise<unknown> = Promise.resolve()
  let taken: Readable | null = null
  const form = open({ ...headers, "content-type": type })
  const refuse = (detail: string) => form.destroy(new Refusal("constraint-violated", detail))

  form.on("field", (name, value, nameCut, valueCut) => {
    if (nameCut || valueCut || Object.hasOwn(fields, name)) refuse(`The field ${name} cannot be taken.`)
    else Object.defineProperty(fields, name, { value, enumerable: true })
  })
  form.on("file", (name, file, _, __, mimeType) => {
    if (name !== "content") return refuse("The file is named content.")
    contentType = mimeType
    taken = file
    // Heard by whoever reads it; but until somebody does, an error without a listener would end the process.
    file.on("error", () => undefined)
    // What is refused while it arrives ends the whole body, with its own words.
    held = hold(file).catch((error) => void form.destroy(error))
  })
  for (const limit of ["filesLimit", "fieldsLimit", "partsLimit"] as const)
    form.on(limit, () => refuse("The form has too many parts."))
  let isRead = false
  form.once("finish", () => {
    isRead = true
  })
  // All of it is with the parser. For a part whose headers do not end it waits without an end of its own: once the file is read and
  // nothing moves any more, this is no form.
  form.once("prefinish", async () => {
    await held
    await nextTurn()
    if (!isRead) refuse("A part of the form breaks off.")
  })
  try {
    await pipeline(Readable.from(body, { objectMode: false }), form)
  } catch (error) {
    // Whoever reads the file would wait for the rest of it for ever; and what it has taken is let go of with the request.
    await left(taken, held)
    throw error instanceof Refusal ? error : new Refusal("constraint-violated", "The form cannot be read.")
  }
  await held
  return { fields, contentType }
}

async function left(file: Readable | null, held: Promise<unknown>): Promise<void> {
  file?.destroy(new Refusal("constraint-violated", "The form breaks off."))
  await held
}

function open(headers: Headers & { "content-type": string }): BusboyInstance {
  try {
    return new Busboy({ headers, limits: { ...PARTS, fileSize: LIMITS.documentBytes + 1 } })
  } catch (cause) {
    throw new Refusal("constraint-violated", "The form has no boundary.", { cause })
  }
}
