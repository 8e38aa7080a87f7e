// For the tests: a parent that has a document described, prepared and drawn, and says how much memory all of it took. It is a
// process of its own, because a test has held the document already, to write it.

import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { PrepareOptions } from "@paraph/pades/prepare"
import type { SealedFile } from "@paraph/seal/file"
import { readFrames, writeFrame } from "../../pdf/frame.ts"
import { createPdfRooms } from "../../pdf/rooms.ts"
import { TENANT } from "../tenant.ts"

export type HandlesAsked = { readonly file: SealedFile; readonly options: PrepareOptions }

export type Handled = {
  readonly pageCount: number
  readonly baseSha256: string
  readonly picture: Uint8Array
  readonly parentGrewBytes: number
  readonly childPeakBytes: number
}

readFrames(process.stdin, async ({ header }) => {
  const { file, options } = header as HandlesAsked
  const rooms = createPdfRooms({ folder: dirname(file.path) })
  // proc(5), clear_refs: the mark of the most memory so far begins anew.
  writeFileSync("/proc/self/clear_refs", "5")
  const before = peakBytes("self")
  let childPeakBytes = 0
  const watch = setInterval(() => {
    for (const pid of children()) childPeakBytes = Math.max(childPeakBytes, peakBytes(pid))
  }, 10)
  const { pageCount } = await rooms.describe(file, TENANT)
  const { baseSha256 } = await rooms.prepare(file, TENANT, options)
  const picture = await rooms.renderPage(file, TENANT, { page: 0, scale: 100, format: "webp" })
  clearInterval(watch)
  const handled: Handled = {
    pageCount,
    baseSha256,
    picture: picture?.bytes ?? new Uint8Array(),
    parentGrewBytes: peakBytes("self") - before,
    childPeakBytes,
  }
  await rooms.close()
  writeFrame(process.stdout, handled, undefined, () => process.exit())
})

/** The high-water mark of the resident memory. */
function peakBytes(pid: string): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

function children(): string[] {
  const tasks = readdirSync("/proc/self/task")
  return tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, "utf8").trim().split(" "))
}
