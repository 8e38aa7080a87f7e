import { readFileSync } from "node:fs"
import type { Held } from "@paraph/core/document/ports"
import { ownerOf, type Tenant } from "@paraph/core/fair-share/owner"
import type { Clock } from "@paraph/core/ports"
import { Refusal } from "@paraph/core/refusal"
import { BULK_BYTES, createQueue } from "@paraph/gateways/fair-queue"
import { createPdfRooms, type SandboxPolicy } from "@paraph/gateways/pdf"
import { createScanner, type Scanner, type ScannerSettings } from "@paraph/gateways/scanner"
import { createBlobs } from "@paraph/store/blobs/blobs"
import type { Bucket } from "@paraph/store/blobs/bucket"
import { createRowSealer } from "@paraph/store/blobs/details"
import { createFolderBucket } from "@paraph/store/blobs/folder-bucket"
import { createS3Bucket } from "@paraph/store/blobs/s3-bucket"
import { openSpool } from "@paraph/store/blobs/spool"
import { createAnswerSealer } from "@paraph/store/keys/answer-sealer"
import { createBusinessKeys } from "@paraph/store/keys/business-keys"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import * as loose from "@paraph/store/postgres/loose-blobs"
import type { Config } from "./config.ts"
import { createReadsUnderWay } from "./http/documents/reads-under-way.ts"
import { holdingBodies, holdingBytes } from "./intake/hold-body.ts"
import { startIntake } from "./intake/intake.ts"
import { openKeyRing } from "./key-ring.ts"
import { createPageTexts } from "./page-texts.ts"
import { createPreviews } from "./previews.ts"
import {
  cleaningPictures,
  flattening,
  inspecting,
  preparing,
  raising,
  readingTexts,
  rendering,
  scanning,
  unwrapping,
  watermarking,
} from "./refusing.ts"
import { createCpuUse } from "./telemetry/cpu-use.ts"

const MB = 1_000_000
/** Pages of text are small: some thousands of them. */
const TEXT_CACHE_BYTES = 16 * MB

/** What stands behind the ports that have to do with a document's bytes. */
export async function buildDocumentParts(
  config: Config,
  db: ServiceDatabase,
  now: Clock,
  onFault: (error: Error) => void,
) {
  const ring = await openKeyRing(config)
  const bucket = openBucket(config)
  const spool = await openSpool(config.SPOOL_FOLDER)
  const { rooms, scanner, cpuUse } = openReaders(config, spool.folder)
  const keys = createBusinessKeys(db, unwrapping(ring), now)
  const blobs = createBlobs({
    bucket,
    spool,
    keys,
    insertLoose: (name, dueAt) => loose.insertLoose(db, name, dueAt),
    makeDue: (name, at) => loose.makeDue(db, name, at),
    now,
    shelfBytes: config.SPOOL_KEPT_MB * MB,
  })
  const { keyOf, beginHolding, ...held } = blobs
  const bulkPuts = createQueue({ slots: 2, maxWaiting: 1000, maxWaitMs: WAIT_MS, busy: tooManyPuts })
  const intake = startIntake(spool.folder, onFault)
  return {
    parts: {
      ...held,
      // Two large objects on their way to the bucket fill the line to it; more would only hold up the small ones.
      keepHeld: (each: Held) =>
        each.sizeBytes > BULK_BYTES
          ? bulkPuts(ownerOf(each), () => blobs.keepHeld(each))
          : blobs.keepHeld(each),
      holdBytes: holdingBytes(beginHolding, intake),
      holdBody: holdingBodies(beginHolding, intake),
      inspectPdf: inspecting(rooms),
      flattenPdf: flattening(rooms),
      watermarkPdf: watermarking(rooms),
      preparePdf: preparing(rooms),
      raisePdf: raising(rooms),
      scanBytes: scanning(scanner, blobs.readHeld),
      previews: createPreviews({
        holdDocument: blobs.holdDocument,
        draw: rendering(rooms),
        keptBytes: config.PREVIEW_CACHE_MB * MB,
        now,
      }),
      pageTexts: createPageTexts({
        holdDocument: blobs.holdDocument,
        read: readingTexts(rooms),
        keptBytes: TEXT_CACHE_BYTES,
        now,
      }),
      cleanPicture: cleaningPictures(rooms),
      reads: createReadsUnderWay(),
      bucket,
    },
    sealer: createRowSealer(keyOf, keys),
    answerSealer: createAnswerSealer(keys),
    ring: unwrapping(ring),
    readiness: { documents: bucket.health, "operator key": ring.health },
    // Without it nothing is taken in, but everything else goes on: no reason to take the process out of service.
    besides: scanner === null ? {} : { scanner: async () => void (await scanner.health()) },
    rooms,
    cpuUse,
    close: async () => {
      await rooms.close()
      await intake.close()
      bucket.close()
      await spool.close()
      await ring.close()
    },
  }
}

/** What reads the bytes of documents: the PDF processes and the malware scanner, on one CPU budget for each business and mode. */
function openReaders(config: Config, folder: string) {
  const cpuUse = createCpuUse(config.BUSINESS_CPU_SECONDS)
  const { isOver: isOverBudget } = cpuUse.budget
  // Nobody looks at pages where no call is answered, and a process that waits to draw one takes 100 MB.
  const drawing = config.ROLES.includes("api") ? {} : { warmDrawing: 0 }
  const judging = config.ROLES.includes("validation") ? { warmValidating: 2, warmComparing: 1 } : {}
  const sandbox = sandboxPolicy(config)
  const shared = { folder, sandbox, maxWaitMs: WAIT_MS, isOverBudget, onCpu: cpuUse.record }
  const onScan = (owner: Tenant, ms: number) => cpuUse.record(owner, "scanning", ms)
  return {
    rooms: createPdfRooms({ ...shared, ...drawing, ...judging }),
    scanner: openScanner(config, { isOverBudget, onScan }),
    cpuUse,
  }
}

/** Production documents are read in an enforced sandbox, unless the operator decides otherwise. */
export const sandboxPolicy = ({ PDF_SANDBOX: policy, PRODUCTION }: Config): SandboxPolicy =>
  policy === "auto" ? (PRODUCTION ? "required" : "preferred") : policy

const tooManyPuts = () =>
  new Refusal("part-down", "Too many large documents at once.", { retryAfterSeconds: 30 })

/** Twenty of the largest documents at once take their time, and none of them is turned away. */
const WAIT_MS = 10 * 60_000

/** Null: the operator has said that nothing is scanned. */
export const openScanner = (
  config: Config,
  shares: Pick<ScannerSettings, "isOverBudget" | "onScan"> = {},
): Scanner | null =>
  config.SCANNER_URL === "none"
    ? null
    : createScanner({
        address: config.SCANNER_URL,
        tls: scannerTls(config),
        maxWaiting: 200,
        maxWaitMs: WAIT_MS,
        ...shares,
      })

const scannerTls = ({ SCANNER_CA_FILE, SCANNER_CERTIFICATE_FILE, SCANNER_KEY_FILE }: Config) => ({
  ...(SCANNER_CA_FILE !== "" && { ca: readFileSync(SCANNER_CA_FILE) }),
  ...(SCANNER_CERTIFICATE_FILE !== "" && {
    cert: readFileSync(SCANNER_CERTIFICATE_FILE),
    key: readFileSync(SCANNER_KEY_FILE),
  }),
})

export const openBucket = (config: Config): Bucket =>
  config.DOCUMENTS_FOLDER === ""
    ? createS3Bucket({
        endpoint: config.S3_ENDPOINT,
        region: config.S3_REGION,
        bucket: config.S3_BUCKET,
        keys:
          config.S3_CREDENTIALS === "platform"
            ? null
            : { accessKey: config.S3_ACCESS_KEY, secretKey: config.S3_SECRET_KEY },
      })
    : createFolderBucket(config.DOCUMENTS_FOLDER)
