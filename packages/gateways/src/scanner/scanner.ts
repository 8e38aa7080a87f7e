import { ownerOf, SERVICE, type Tenant, type WorkOwner } from "@paraph/core/fair-share/owner"
import { BULK_BYTES, createQueue } from "../fair-queue.ts"
import { readVerdict, readVersion, type ScannerHealth, type Verdict } from "./answer.ts"
import { converse, lengthOf, readAddress, type ScannerTls } from "./conversation.ts"
import { plantedDocument } from "./coverage.ts"
import { ScannerFailed } from "./failed.ts"

export type { ScannerHealth, Verdict } from "./answer.ts"

export type ScannerSettings = {
  /** Of clamd: `unix:/path/to/socket`, `tls://host:port` or `tcp://host:port`. */
  readonly address: string
  readonly tls?: ScannerTls
  /** Scans of documents above 8 MB at a time. */
  readonly bulk?: number
  /** Scans of all others at a time: they have slots of their own, so that large ones do not hold them up. */
  readonly small?: number
  readonly maxWaiting?: number
  readonly maxWaitMs?: number
  /** To be reached, and for the answer to a question that needs no scanning. */
  readonly connectMs?: number
  readonly idleMs?: number
  /** What any scan may take, to which the size adds its part. */
  readonly minTotalMs?: number
  readonly msPerMegabyte?: number
  /** Such an owner has one scan at a time, and only while no other owner waits. */
  readonly isOverBudget?: (owner: WorkOwner) => boolean
  /** The time of each scan, which is close to the CPU time that it took. */
  readonly onScan?: (owner: Tenant, ms: number) => void
}

export type Scanner = {
  /** Rejects with `ScannerFailed` where there is no verdict, and with the source's own error where that fails. */
  readonly scan: (owner: Tenant, bytes: AsyncIterable<Uint8Array>, sizeBytes: number) => Promise<Verdict>
  readonly health: () => Promise<ScannerHealth>
  /** Whether malware is found that lies at the end of a document of this size: clamd tells nobody its limits. */
  readonly covers: (sizeBytes: number) => Promise<boolean>
}

/** The malware scanner, clamd, which is given every document as a stream and never a path. */
export function createScanner(settings: ScannerSettings): Scanner {
  const { bulk = 2, small = 4, maxWaiting = 32, maxWaitMs = 30_000 } = settings
  const { connectMs = 5_000, idleMs = 15_000, minTotalMs = 30_000, msPerMegabyte = 1_000 } = settings
  const address = readAddress(settings.address, settings.tls)
  const { isOverBudget = () => false, onScan } = settings
  // The scanner is another process, whose threads have one priority: so demo has one scan of each size at a time.
  const waits = { maxWaiting, maxWaitMs, busy: tooMany, isOverBudget, demo: 1 }
  const bulkQueue = createQueue({ ...waits, slots: bulk })
  const smallQueue = createQueue({ ...waits, slots: small })

  const ask = async (command: string | Uint8Array) => {
    const limits = { connectMs, idleMs: connectMs, totalMs: connectMs }
    return (await converse(address, command, limits)).answer
  }
  const scanNow = async (bytes: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<Verdict> => {
    const totalMs = minTotalMs + (sizeBytes / 1_000_000) * msPerMegabyte
    const limits = { connectMs, idleMs, totalMs }
    const { answer, sentBytes } = await converse(address, "zINSTREAM\0", limits, bytes).catch((error) =>
      tellWhy(error, ask, sizeBytes),
    )
    const verdict = readVerdict(answer)
    // What the scanner found clean must be what was asked about, from the first byte to the last.
    if (verdict.clean && sentBytes !== sizeBytes)
      throw new ScannerFailed("error", `The verdict is about ${sentBytes ?? "some"} of ${sizeBytes} bytes.`)
    return verdict
  }
  const scan: Scanner["scan"] = (owner, bytes, sizeBytes) =>
    (sizeBytes > BULK_BYTES ? bulkQueue : smallQueue)(ownerOf(owner), async () => {
      const begun = performance.now()
      try {
        return await scanNow(bytes, sizeBytes)
      } finally {
        onScan?.(owner, performance.now() - begun)
      }
    })
  return {
    scan,
    covers: async (sizeBytes) => {
      const verdict = await scan(SERVICE, plantedDocument(sizeBytes), sizeBytes).catch((error) => {
        if (error instanceof ScannerFailed && error.code === "limit") return { clean: true }
        throw error
      })
      return !verdict.clean
    },
    health: async () => {
      if ((await ask("zPING\0")) !== "PONG\0")
        throw new ScannerFailed("error", "The scanner does not answer.")
      return readVersion(await ask("zVERSION\0"))
    },
  }
}

/**
 * clamd closes on a stream that is too large for it, and what it said before is lost when we write at that moment. So
 * it is asked again, by the length of a chunk that never comes: to one above StreamMaxLength it answers at once.
 */
async function tellWhy(
  error: unknown,
  ask: (command: Uint8Array) => Promise<string>,
  sizeBytes: number,
): Promise<never> {
  if (error instanceof ScannerFailed && error.code === "down") {
    const command = Buffer.concat([Buffer.from("zINSTREAM\0"), lengthOf(sizeBytes)])
    const answer = await ask(command).catch(() => "")
    if (answer !== "") readVerdict(answer)
  }
  throw error
}

const tooMany = () => new ScannerFailed("down", "The scanner has no time for this document.")
