// How long a caller waits for POST /validation/v1/validate/document, beside what the engine takes for the same document: in this
// process, warm; and in limited processes of its own, as the service has it judged, with pictures of the pages that may have changed.

import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { SERVICE } from "@paraph/core/fair-share/owner"
import { createPdfRooms } from "@paraph/gateways/pdf"
import { bytesSource } from "@paraph/pades/source"
import { readCertificate } from "@paraph/pki/certificate"
import { DEFAULT_POLICY } from "@paraph/validation/default-policy"
import { validatePdf } from "@paraph/validation/validate"
import { lease } from "../../scripts/stack/lease.ts"
import { sealedFile } from "../conformance/sealed-file.ts"
import { startService } from "../service/service.ts"
import { validateForm } from "../service/validation.ts"

export type Measured = { readonly name: string; readonly bytes: Uint8Array; readonly calls: number }

/** Between two calls, so that the next process stands ready, as it does for callers who are not in a queue. */
const BREATH_MS = 1_000
const ROOT = resolve(import.meta.dirname, "../..")

export async function measureOverHttp(documents: readonly Measured[], root: Uint8Array): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "paraph-bench-http-"))
  const stack = await lease(join(ROOT, ".stack", "bench-stack"), { fast: true })
  try {
    const anchors = join(folder, "root.pem")
    await writeFile(anchors, pemOf(root))
    const env = { VALIDATION_ANCHORS_FILE: anchors, VALIDATIONS_PER_KEY: "100000" }
    const options = { stack: stack.stack, authorities: false, worker: false, validation: true, env }
    const service = await startService(options)
    try {
      for (const document of documents) {
        const { name, bytes, calls } = document
        const http = async () => {
          const { status, body } = await validateForm(service.caller, bytes, "infos=validation")
          if (status !== 200 || !body.valid)
            throw new Error(`It answered ${status}: ${JSON.stringify(body.additionalInfos ?? body)}`)
        }
        const toCompare = await inThisProcess(bytes, root)
        process.stdout.write(`\n${name}, ${calls} calls each; pictures for ${toCompare} signatures\n`)
        const inProcess = await timesOf(() => inThisProcess(bytes, root), calls, 0)
        tell("the engine in this process, without", inProcess, inProcess)
        const apart = await inItsOwn(document, root, folder)
        tell("in limited processes, with pictures", apart, inProcess)
        tell("over HTTP, with a breath in between", await timesOf(http, calls, BREATH_MS), apart)
        tell("over HTTP, one after the other", await timesOf(http, calls, 0), apart)
      }
    } finally {
      await service.close()
    }
  } finally {
    await stack.release()
    await rm(folder, { recursive: true, force: true })
  }
}

/** How many signatures have pages that may look different, which the interface always looks at. */
async function inThisProcess(bytes: Uint8Array, root: Uint8Array): Promise<number> {
  const { report, toCompare } = await validatePdf(bytesSource(bytes), {
    now: new Date(),
    anchors: [{ certificate: readCertificate(root) }],
  })
  if (report.indication !== "TOTAL-PASSED") throw new Error(`It is ${report.indication}.`)
  return toCompare.length
}

async function inItsOwn({ bytes, calls }: Measured, root: Uint8Array, folder: string): Promise<number[]> {
  const rooms = createPdfRooms({ folder, warm: 0, warmValidating: 2, warmComparing: 1 })
  try {
    const file = await sealedFile(folder, bytes)
    const order = { policy: DEFAULT_POLICY, anchors: [{ certificate: root }], online: false }
    const nobody = async () => Buffer.from("[]")
    const act = async () => {
      const { toCompare } = await rooms.validate(file, SERVICE, { ...order, now: new Date() }, nobody)
      if (toCompare.length > 0)
        await rooms.compareAll(file, SERVICE, { comparisons: toCompare, maxPictures: 50 })
    }
    return await timesOf(act, calls, BREATH_MS)
  } finally {
    await rooms.close()
  }
}

async function timesOf(act: () => Promise<unknown>, calls: number, breathMs: number): Promise<number[]> {
  for (let i = 0; i < 3; i++) await act()
  const times: number[] = []
  for (let i = 0; i < calls; i++) {
    await pause(breathMs)
    const start = performance.now()
    await act()
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)
}

function tell(what: string, times: readonly number[], than: readonly number[]): void {
  const [p50, p95] = [0.5, 0.95].map((share) => at(times, share))
  const ratio = at(times, 0.95) / at(than, 0.95)
  process.stdout.write(
    `  ${what.padEnd(36)} p50 ${p50?.toFixed(1).padStart(7)} ms, p95 ${p95?.toFixed(1).padStart(7)} ms: ${ratio.toFixed(2)} ×\n`,
  )
}

const at = (times: readonly number[], share: number): number =>
  times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0

function pemOf(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`
}
