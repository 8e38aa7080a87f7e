import type { Tx } from "../ports.ts"

/** Pages of one document that a signer was served, as pictures, as text or with the whole file. */
export type ServedPages = {
  /** The version that was shown. */
  readonly documentId: string
  readonly pageCount: number
  readonly sha256: string
  /** From the first to the last, counted from 1; in order and apart from each other. */
  readonly ranges: readonly (readonly [first: number, last: number])[]
}

/** Pages are counted from 0; `end` is not one of them. */
export type ServedRange = {
  readonly documentId: string
  readonly pageCount: number
  readonly start: number
  readonly end: number
}

/**
 * As the evidence has it, for each version that was shown: "id 1-3,5 of 12 sha256 ab…". It says what was served, not what was read. A signer who
 * was served less may sign: people do not always scroll, and the interface has no such condition (choice 462).
 */
export function spelledServed(shown: readonly string[], served: readonly ServedPages[]): string {
  return shown
    .map((id) => {
      const found = served.find(({ documentId }) => documentId === id)
      if (found === undefined) return `${id} none`
      const ranges = found.ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`))
      return `${id} ${ranges.join(",")} of ${found.pageCount} sha256 ${found.sha256}`
    })
    .join("; ")
}

/** Nothing for a call without a session of a signing page. */
export async function servedTo(
  tx: Pick<Tx, "servedPages">,
  { signatureId, idHash }: { readonly signatureId: string; readonly idHash?: Uint8Array },
  shown: readonly string[],
): Promise<{ readonly served?: string }> {
  if (idHash === undefined) return {}
  return { served: spelledServed(shown, await tx.servedPages(signatureId, idHash)) }
}

/** Reads back what `spelledServed` wrote. */
export function readServed(spelled: string): readonly ServedSpelled[] {
  return spelled.split("; ").flatMap((one) => {
    const [, documentId = "", pages = "", of] = /^(\S+) (none|[\d,-]+)(?: of (\d+))?/.exec(one) ?? []
    if (documentId === "") return []
    return {
      documentId,
      pages: pages === "none" ? "" : pages,
      pageCount: of === undefined ? null : Number(of),
    }
  })
}

export type ServedSpelled = {
  readonly documentId: string
  /** Such as "1-3,5"; empty where none was served. */
  readonly pages: string
  readonly pageCount: number | null
}
