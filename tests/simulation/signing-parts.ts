import type { Document, Inspection } from "@paraph/core/document/model"
import type { Held } from "@paraph/core/document/ports"
import { Refusal } from "@paraph/core/refusal"
import type { SigningParts } from "@paraph/core/signature-request/make-mark"
import type { Lack } from "@paraph/core/signature-request/model"
import { DAY } from "./faults.ts"
import { finished, prepared, raised, sha256, signatureOver, stampOf } from "./paper.ts"
import type { Process } from "./schedule.ts"
import { call, type World } from "./world.ts"

/** As `store/blobs`: so long an object may wait for its row. */
const OWNED_WITHIN_MS = 3_600_000

const INSPECTION: Inspection = {
  pageCount: 1,
  pageWidth: 595,
  pageHeight: 842,
  pageSizes: [{ count: 1, width: 595, height: 842 }],
  signatureFields: [],
  pdfa: null,
  locked: false,
  active: [],
  view: [],
}

/**
 * Which certificate signs, and whether the first one is revoked: both change after so many questions as the seed says, and so in
 * the middle of something rather than at any time.
 */
export type Authority = {
  readonly certificate: () => string
  readonly isFirstRevoked: () => boolean
  readonly revokedAt: () => number
  /** Told of every question that signing asks. */
  readonly asked: () => void
  /** How long time-stamps over documents last. */
  readonly archiveMs: number
}

export function drawAuthority({ random, schedule, records }: World): Authority {
  const never = Number.POSITIVE_INFINITY
  const rollsAfter = random.next() < 0.5 ? 1 + random.below(12) : never
  const revokedAfter = random.next() < 0.4 ? rollsAfter + random.below(3) : never
  let [asked, revokedAt] = [0, never]
  return {
    certificate: () => (asked < rollsAfter ? "first" : "second"),
    isFirstRevoked: () => asked >= revokedAfter,
    revokedAt: () => revokedAt,
    asked: () => {
      asked += 1
      if (asked !== revokedAfter) return
      revokedAt = schedule.now()
      records.revoked.add("first")
    },
    archiveMs: random.pick([30, 60, 3650]) * DAY,
  }
}

type DocumentParts = Pick<
  SigningParts,
  "holdDocument" | "holdBytes" | "readHeld" | "inspectPdf" | "keepHeld"
> & {
  readonly hold: (text: string) => Held
  readonly scanBytes: () => Promise<void>
  readonly abandon: (blob: { readonly name: string }) => Promise<void>
}

/** Bytes at hand die with their process; those in the bucket stay. */
export function documentParts(world: World, process: Process): DocumentParts {
  const { records, state, schedule } = world
  const spool = new Map<string, string>()
  const hold = (text: string, name = world.newId("object")): Held => {
    spool.set(name, text)
    const sizeBytes = text.length
    const file = { path: name, key: new Uint8Array(), context: "", sizeBytes }
    return {
      businessId: "business",
      kind: "production",
      name,
      sizeBytes,
      sha256: sha256(text),
      file,
      release: async () => undefined,
    }
  }
  return {
    hold,
    holdDocument: async (document: Document) => {
      const { name } = document.blob
      const text = await call(world, process, "bucket", `get ${name}`, () => records.objects.get(name))
      if (text === undefined) throw new Error(`There is no object ${name}.`)
      return hold(text, name)
    },
    holdBytes: async (_, bytes) => {
      let text = ""
      for await (const piece of bytes) text += Buffer.from(piece).toString("latin1")
      return hold(text)
    },
    readHeld: async function* ({ name }) {
      yield Buffer.from(spool.get(name) ?? "", "latin1")
    },
    inspectPdf: () => call(world, process, "pdf", "inspect", () => INSPECTION),
    scanBytes: () => call(world, process, "pdf", "scan", () => undefined),
    keepHeld: async ({ name }) => {
      const dueAt = schedule.now() + OWNED_WITHIN_MS
      await call(world, process, "database", "insert loose", () => {
        state.loose.set(name, { dueAt, claimed: false })
        world.wake("dates", dueAt)
      })
      await call(world, process, "bucket", `put ${name}`, () =>
        records.objects.set(name, spool.get(name) ?? ""),
      )
      return { name, wrappedKey: new Uint8Array(), keyVersion: 1 }
    },
    abandon: ({ name }) =>
      call(world, process, "database", "abandon", () => {
        if (state.loose.has(name)) state.loose.set(name, { dueAt: schedule.now(), claimed: false })
      }),
  }
}

const lacking = (lacks: Lack) => () => new Refusal("part-down", "It cannot be reached.", { lacks })
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1")
const bytes = (of: string): Uint8Array => Buffer.from(of, "latin1")

type MarkParts = Omit<SigningParts, keyof DocumentParts | "transact" | "read" | "now" | "newId" | "pass">

export function markParts(world: World, process: Process, authority: Authority): MarkParts {
  const { records, schedule, random } = world
  const ask = <T>(part: "keys" | "timestamp" | "revocation", label: string, effect: () => T) => {
    authority.asked()
    return call(world, process, part, label, effect, lacking(part))
  }
  return {
    certificateOf: () => ask("keys", "certificate", () => authority.certificate()),
    isInVain: (_, intent) =>
      ask("revocation", "is revoked", () => {
        if (intent.prepared.certificateSha256 !== "first" || !authority.isFirstRevoked()) return false
        const stampedAt = intent.stamp === null ? null : Number(text(intent.stamp).split("@")[1])
        return stampedAt === null || stampedAt >= authority.revokedAt()
      }),
    prepareMark: async ({ sha256: base }, { fieldName }) =>
      call(
        world,
        process,
        "pdf",
        `prepare ${fieldName}`,
        () =>
          prepared({
            field: fieldName,
            base,
            certificate: authority.certificate(),
            nonce: world.newId("nonce"),
          }),
        // Now and then a document that nobody can sign, whoever tries.
        () =>
          random.next() < 0.1 ? new Refusal("pdf-corrupt", "It cannot be read.") : new Error("It died."),
      ),
    signBytes: (_, { signedAttributes }) =>
      ask("keys", "sign", () => {
        records.keyUses.push({ at: schedule.now(), signedAttributes })
        return bytes(signatureOver(signedAttributes, records.keyUses.length))
      }),
    stampValue: (_, value) => ask("timestamp", "stamp", () => bytes(stampOf(text(value), schedule.now()))),
    finishMark: (mark, value, stamp) =>
      bytes(finished(mark, text(value), stamp === null ? null : text(stamp))),
    raiseMarks: (_, __, { to }) =>
      ask("revocation", "raise", () => ({
        tail: bytes(raised(to)),
        archiveEndsAt: to === "B-LTA" ? new Date(schedule.now() + authority.archiveMs) : null,
      })),
    sha256Of: (of) => sha256("base64" in of ? of.base64 : text(of)),
    destroySignerKey: async () => undefined,
  }
}
