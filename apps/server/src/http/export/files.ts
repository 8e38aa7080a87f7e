import { writeDocument } from "@paraph/contract/v3/document"
import { writeSignatureRequest } from "@paraph/contract/v3/signature-request"
import type { Caller } from "@paraph/core/access/caller"
import type { BegunExport } from "@paraph/core/business/export"
import {
  type ExportedRequest,
  readExported,
  readExportedDocument,
  readExportedReceipt,
} from "@paraph/core/business/read-exported"
import { type ExportPart, exportedPlaces } from "@paraph/core/business/walk-export"
import type { StoredBytes } from "@paraph/core/document/ports"
import { writeStory } from "@paraph/evidence/story"
import { verifierKeyOf } from "../../log-parts.ts"
import type { Parts } from "../../parts.ts"
import { storyFileOf } from "../../story-file.ts"
import { addressesFor } from "../signature-requests/addresses.ts"
import type { ArchivedFile, Listed } from "./archive.ts"

/** Each request with its documents and its story; then the documents of none, with that of their seal; then the receipts of what is gone, and who signs the log. */
export async function* filesOf(
  parts: Parts,
  caller: Caller,
  begun: BegunExport,
): AsyncGenerator<ArchivedFile> {
  for await (const { of, id } of exportedPlaces(parts, caller, begun))
    yield* FILES[of](parts, caller, id, begun.at)
  const key = await parts.evidenceLog.key(caller.kind)
  const head = await parts.evidenceLog.checkpoint(caller.kind)
  if (key !== null) yield textFile("log/key.txt", begun.at, `${verifierKeyOf(key)}\n`)
  if (head !== null) yield textFile("log/checkpoint.txt", begun.at, head.note)
}

type FilesOf = (parts: Parts, caller: Caller, id: string, at: Date) => AsyncGenerator<ArchivedFile>

const FILES: Readonly<Record<ExportPart, FilesOf>> = {
  request: async function* (parts, caller, id, at) {
    const exported = await readExported(parts, caller, id)
    if (exported !== null) yield* ofRequest(parts, caller, exported, at)
  },
  document: ofDocument,
  receipt: async function* (parts, caller, id, at) {
    const story = await readExportedReceipt(parts, caller, id)
    const file = story && storyFileOf(id, story)
    if (file !== null) yield textFile(`receipts/${id}.json`, at, writeStory(file))
  },
}

function* ofRequest(
  parts: Parts,
  caller: Caller,
  { request, documents, attachments, story }: ExportedRequest,
  at: Date,
): Generator<ArchivedFile> {
  const folder = `requests/${request.id}`
  const answer = writeSignatureRequest(request, addressesFor(parts, caller, request))
  yield textFile(`${folder}/request.json`, at, inJson(answer))
  for (const { id, original, newest } of documents) {
    yield stored(parts, `${folder}/documents/${id}.pdf`, newest)
    if (newest.id !== original.id) yield stored(parts, `${folder}/documents/${id}.original.pdf`, original)
  }
  for (const one of attachments) yield stored(parts, `${folder}/attachments/${one.id}`, one)
  const file = story && storyFileOf(request.id, story)
  if (file !== null) yield textFile(`${folder}/story.json`, at, writeStory(file))
}

async function* ofDocument(parts: Parts, caller: Caller, id: string, at: Date): AsyncGenerator<ArchivedFile> {
  const exported = await readExportedDocument(parts, caller, id)
  if (exported === null) return
  const { document, sealingId, story } = exported
  yield textFile(`documents/${id}/document.json`, at, inJson(writeDocument(document)))
  yield stored(parts, `documents/${id}/${id}.pdf`, document)
  const file = sealingId && story && storyFileOf(sealingId, story)
  if (file) yield textFile(`documents/${id}/story.json`, at, writeStory(file))
}

/** What is in the archive, and of when: `paraph-export/1`. Written an entry at a time: as one text it would be there twice. */
export const manifestOf = (
  { businessId, kind }: Caller,
  { business, at, next }: BegunExport,
  files: readonly Listed[],
): ArchivedFile => ({
  path: "manifest.json",
  at,
  isPacked: false,
  bytes: manifestBytes(
    {
      format: "paraph-export/1",
      business: { id: businessId, name: business },
      kind,
      exported_at: at.toISOString(),
      is_last: next === null,
    },
    files,
  ),
})

function* manifestBytes(head: object, files: readonly Listed[]): Generator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(head, null, 1).slice(0, -2)},\n "files": [`)
  for (const [n, file] of files.entries())
    yield Buffer.from(`${n === 0 ? "" : ","}\n  ${JSON.stringify(file)}`)
  yield Buffer.from("\n ]\n}\n")
}

const inJson = (value: object): string => `${JSON.stringify(value, null, 1)}\n`

const textFile = (path: string, at: Date, text: string): ArchivedFile => ({
  path,
  at,
  bytes: [Buffer.from(text, "utf8")],
  isPacked: false,
})

const stored = (
  { readContent }: Pick<Parts, "readContent">,
  path: string,
  of: StoredBytes & { readonly createdAt: Date },
): ArchivedFile => ({ path, at: of.createdAt, bytes: readContent(of), isPacked: true })
