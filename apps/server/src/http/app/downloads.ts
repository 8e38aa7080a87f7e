import { Readable } from "node:stream"
import { IdParams } from "@paraph/contract/shared/fields"
import { endingsOf } from "@paraph/core/attachment/types"
import type { Document } from "@paraph/core/document/model"
import { Refusal } from "@paraph/core/refusal"
import { viewSignature } from "@paraph/core/signature-request/view"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { ZipFile } from "yazl"
import type { Parts } from "../../parts.ts"
import { sendFile } from "../documents/content.ts"
import { untilOver } from "../documents/reads-under-way.ts"
import { contentDisposition, FILE_POLICY, pdfName } from "../file-name.ts"
import { mustBeSigner, readerOf } from "./session.ts"
import { isOver } from "./view.ts"

/** What a signer may take along: the attachments, and all documents at once. */
export function downloads(app: FastifyInstance, parts: Parts): void {
  app.get<{ Params: { id: string } }>(
    "/app/api/attachments/:id",
    { schema: { params: IdParams } },
    async (request, reply) => {
      const signer = await mustBeSigner(parts, request)
      const view = await viewSignature(parts, signer)
      const id = request.params.id.toLowerCase()
      const attachment = isOver(view)
        ? null
        : await parts.read(signer.businessId, (reading) => reading.findAttachment(signer.requestId, id))
      if (attachment === null) throw new Refusal("not-found", "There is no such attachment.")
      parts.reads.begin(readerOf(signer), request, reply)
      const { filename, contentType } = attachment
      const disposition = contentDisposition(filename, "attachment", endingsOf(contentType))
      const charset = contentType.startsWith("text/") ? "; charset=utf-8" : ""
      return sendFile(
        parts,
        request,
        reply,
        { ...attachment, contentType: contentType + charset },
        disposition,
      )
    },
  )

  app.get("/app/api/documents.zip", async (request, reply) => {
    const signer = await mustBeSigner(parts, request)
    if (signer.arrival.hideDownload) throw new Refusal("not-found", "There is nothing to download here.")
    const view = await viewSignature(parts, signer)
    if (isOver(view)) throw new Refusal("not-found", "There is nothing to download here.")
    parts.reads.begin(readerOf(signer), request, reply)
    reply.header("content-disposition", contentDisposition(view.request.title, "attachment", ["zip"]))
    return sendZip(parts, request, reply, view.documents)
  })
}

/** As any download, it ends with a reader who takes nothing of it. */
export const sendZip = (
  parts: Pick<Parts, "readContent">,
  request: FastifyRequest,
  reply: FastifyReply,
  documents: readonly Document[],
  stalledMs?: number,
) =>
  reply
    .type("application/zip")
    .header("content-security-policy", FILE_POLICY)
    .header("cache-control", "private, no-store")
    .send(untilOver(zipOf(parts, documents), request, reply, stalledMs))

/**
 * One after the other, each read when its turn has come and as fast as the reader takes it: no document is held, and one
 * download is one read. PDFs are packed already, so they are only put together.
 */
function zipOf(parts: Pick<Parts, "readContent">, documents: readonly Document[]): Readable {
  const zip = new ZipFile()
  const out = zip.outputStream as Readable
  const reading = new Set<Readable>()
  zip.on("error", (error: Error) => out.destroy(error))
  for (const [name, document] of namedApart(documents)) {
    const options = { compress: false, mtime: document.createdAt, mode: 0o100644, size: document.sizeBytes }
    zip.addReadStreamLazy(name, options, (take) => {
      if (out.destroyed) return
      const bytes = Readable.from(parts.readContent(document), { objectMode: false })
      reading.add(bytes)
      bytes.once("close", () => reading.delete(bytes)).once("error", (error) => out.destroy(error))
      take(null, bytes)
    })
  }
  // Whoever goes away in the middle lets go of what is being read.
  out.once("close", () => {
    for (const bytes of reading) bytes.destroy()
  })
  zip.end()
  return out
}

/** As file systems take them, and no two alike, also where case does not count. */
export function namedApart<T extends { readonly title: string }>(
  documents: readonly T[],
): readonly (readonly [string, T])[] {
  const taken = new Set<string>()
  return documents.map((document) => {
    const name = pdfName(document.title)
    const stem = name.slice(0, -".pdf".length)
    let free = name
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${stem} (${number}).pdf`
    taken.add(free.toLowerCase())
    return [free, document] as const
  })
}
