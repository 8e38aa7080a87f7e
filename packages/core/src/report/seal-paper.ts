import type { Held, HoldBytes } from "../document/ports.ts"
import type { Clock } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Sha256Of } from "../release/ports.ts"
import type { SealLack } from "../seal/model.ts"
import type { Kind } from "../signature-request/model.ts"
import type {
  FinishMark,
  PrepareMark,
  RaiseMarks,
  SignBytes,
  StampValue,
} from "../signature-request/ports.ts"
import { ownField } from "../signature-request/wanted-mark.ts"
import type { SealerOfReports } from "../validation/ports.ts"

/** What reports are sealed with, whatever they are about (ADR 0051). */
export type PaperParts = {
  readonly now: Clock
  readonly holdBytes: HoldBytes
  readonly sha256Of: Sha256Of
  readonly prepareMark: PrepareMark
  readonly signBytes: SignBytes
  readonly stampValue: StampValue
  readonly finishMark: FinishMark
  readonly raiseMarks: RaiseMarks
}

type By = {
  readonly businessId: string
  readonly kind: Kind
  /** Of what it is about. */
  readonly id: string
  readonly sealer: SealerOfReports
  /** Nobody who signs can say one: it tells a report from what people sign, also where the service has but one key. */
  readonly reason: string
}

/** Seals a PDF that was written this moment, by the caller: no bytes that lay anywhere get a seal. */
export async function sealPaper(parts: PaperParts, by: By, paper: Uint8Array): Promise<Uint8Array> {
  const held = await parts.holdBytes(by, inOne(paper))
  try {
    if (held.sha256 !== parts.sha256Of(paper)) throw new Error("The report at hand is not the one written.")
    return await sealed(parts, by, paper, held)
  } finally {
    await held.release()
  }
}

/** As a signature that nobody else will follow: for the archive at once. */
async function sealed(
  parts: PaperParts,
  { kind, id, sealer, reason }: By,
  paper: Uint8Array,
  held: Held,
): Promise<Uint8Array> {
  const fieldName = ownField(id)
  const prepared = await parts.prepareMark(held, {
    ...{ kind, own: sealer, signerName: sealer.name, reason, signedAt: parts.now() },
    ...{ fieldName, field: "new", positions: [], lines: [], look: { type: "plain" } },
  })
  if (prepared.baseSha256 !== held.sha256) throw new Error("What was prepared is not the report.")
  const value = await parts.signBytes({ holder: "report", kind, keyLabel: sealer.keyLabel }, prepared)
  const mark = parts.finishMark(prepared, value, await parts.stampValue(prepared, value))
  const { tail } = await parts.raiseMarks(held, mark, { kind, to: "B-LTA", fields: [fieldName] })
  return joined(paper, mark, tail)
}

/** What whoever waits for it can be told; null where the cause is another. */
export function lackOf(error: unknown): SealLack | null {
  const lack = error instanceof Refusal ? error.lacks : undefined
  return lack === undefined || lack === "provider" ? null : lack
}

async function* inOne(bytes: Uint8Array) {
  yield bytes
}

function joined(...all: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const one of all) {
    whole.set(one, at)
    at += one.length
  }
  return whole
}
