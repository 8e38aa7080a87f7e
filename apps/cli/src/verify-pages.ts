import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SERVICE } from "@paraph/core/fair-share/owner"
import { createPdfRooms, type PdfRooms } from "@paraph/gateways/pdf"
import type { SealedFile } from "@paraph/seal/file"
import { seal } from "@paraph/seal/stream"
import { newKey } from "@paraph/seal/wrap"
import type { ComparePages } from "@paraph/verifying/verify"

/**
 * Compares pages as the service does: in a process without rights that is started for one document, with its limits. The
 * document lies encrypted in a folder of its own meanwhile. Nothing is started where no page has to be compared.
 */
export function pageComparison(): {
  readonly comparePages: ComparePages
  readonly close: () => Promise<void>
} {
  let started: Promise<{ readonly folder: string; readonly rooms: PdfRooms }> | undefined
  const start = async () => {
    const folder = await mkdtemp(join(tmpdir(), "paraph-verify-"))
    return { folder, rooms: createPdfRooms({ folder, warm: 0 }) }
  }
  const comparePages: ComparePages = async (bytes, pages) => {
    started ??= start()
    const { folder, rooms } = await started
    const file = await encrypted(bytes, folder)
    const comparisons = pages.map(({ before, pages: changed }) => ({ before, pages: changed }))
    const compared = await rooms.compareAll(file, SERVICE, { comparisons, maxPictures: 0 })
    await rm(file.path)
    return pages.map(({ field }, i) => {
      const { complete = false, pages: seen = [] } = compared[i] ?? {}
      return { field, complete, pages: seen.map(({ page, different }) => ({ page, different })) }
    })
  }
  const close = async () => {
    if (started === undefined) return
    const { folder, rooms } = await started
    await rooms.close()
    await rm(folder, { recursive: true })
  }
  return { comparePages, close }
}

async function encrypted(bytes: Uint8Array, folder: string): Promise<SealedFile> {
  const context = "document"
  const file = { path: join(folder, context), key: newKey(), context, sizeBytes: bytes.length }
  await writeFile(file.path, seal(file.key, file.context, once(bytes)), { mode: 0o600 })
  return file
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
