import { type SignatureRequest, type Status, statusOf } from "@paraph/core/signature-request/model"
import type { World } from "../world.ts"

/** Part 3.1 in other words than the machine's: what may follow on what. */
const MAY_FOLLOW: Readonly<Record<Status, readonly Status[]>> = {
  DRAFT: ["DRAFT", "OPEN"],
  OPEN: ["OPEN", "SIGNED", "DECLINED", "ERROR", "EXPIRED", "WITHDRAWN"],
  SIGNED: ["SIGNED"],
  DECLINED: [],
  ERROR: [],
  EXPIRED: [],
  WITHDRAWN: [],
}

/** I6: only the transitions of part 3, and no signature is ever taken back. */
export function checkTransitions({ records }: World): readonly string[] {
  return records.changes.flatMap(({ before, after }) => {
    if (before === null || after === null) return []
    const [from, to] = [statusOf(before), statusOf(after)]
    const breaches = MAY_FOLLOW[from].includes(to) ? [] : [`I6: ${after.id} went from ${from} to ${to}`]
    for (const was of before.signatures) {
      const is = after.signatures.find((s) => s.id === was.id)
      if (is !== undefined && was.state !== "open" && is.state !== was.state)
        breaches.push(`I6: ${was.id} went from ${was.state} to ${is.state}`)
      if (is === undefined && was.consent !== null) breaches.push(`I6: ${was.id} had agreed and was removed`)
    }
    return breaches
  })
}

const ENDS: readonly Status[] = ["DECLINED", "ERROR", "EXPIRED", "WITHDRAWN"]
const TOLD: Partial<Record<Status, string>> = {
  SIGNED: "signature_request.signed",
  DECLINED: "signature_request.declined",
  ERROR: "signature_request.error",
  EXPIRED: "signature_request.expired",
  WITHDRAWN: "signature_request.withdrawn",
}

/** I6, the other way round: whoever knows the evidence, or the journal, alone comes to the same status. */
export function checkEvidence(
  world: World,
  lastOf: ReadonlyMap<string, SignatureRequest>,
): readonly string[] {
  const { state } = world
  return [...lastOf.values()].flatMap((request) => {
    const status = statusOf(request)
    const evidence = [...state.evidence.values()].filter((one) => one.requestId === request.id)
    const journal = [...state.journal.values()].filter((one) => one.requestId === request.id)
    const counted = (
      type: string,
      of: readonly { readonly type: string; readonly signatureId?: string | null }[],
      id?: string,
    ) => of.filter((one) => one.type === type && (id === undefined || one.signatureId === id)).length
    const isGone = !state.requests.has(request.id)
    const expected: readonly (readonly [string, number, number])[] = [
      ["request.started", counted("request.started", evidence), status === "DRAFT" ? 0 : 1],
      ["request.completed", counted("request.completed", evidence), status === "SIGNED" ? 1 : 0],
      ["request.ended", counted("request.ended", evidence), ENDS.includes(status) ? 1 : 0],
      ["request.deleted", counted("request.deleted", evidence), isGone ? 1 : 0],
      ["signature_request.deleted", counted("signature_request.deleted", journal), isGone ? 1 : 0],
      ...Object.entries(TOLD).map(
        ([of, type]) => [type, counted(type, journal), of === status ? 1 : 0] as const,
      ),
      ...request.signatures.flatMap((s) => {
        const signed = s.state === "signed" ? 1 : 0
        return [
          [`signature.signed of ${s.id}`, counted("signature.signed", evidence, s.id), signed],
          [`told signature.signed of ${s.id}`, counted("signature.signed", journal, s.id), signed],
          [
            `mark.made of ${s.id}`,
            counted("mark.made", evidence, s.id),
            s.marks.filter((m) => m.versionId !== null).length,
          ],
        ] as const
      }),
    ]
    return expected.flatMap(([what, is, should]) =>
      is === should ? [] : [`I6: ${what} is on record ${is} times instead of ${should} for ${request.id}`],
    )
  })
}
