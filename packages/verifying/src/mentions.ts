// Which events of a story name a file. Only those count that are in the log as they are told.

import type { EvidenceBody } from "@paraph/evidence/body"
import type { Mention, VerifiedStory } from "./verified.ts"

const SHA256 = /^[0-9a-f]{64}$/

type Named = {
  readonly sha256: string
  readonly size: number
  readonly prefixes: ReadonlyMap<string, number>
}

export function mentionsOf(
  { sha256, size, prefixes }: Named,
  stories: readonly VerifiedStory[],
): readonly Mention[] {
  return stories.flatMap(({ name, events }) =>
    events.flatMap((event): readonly Mention[] => {
      const named = filesNamed(event)
      const { seq, type, at } = event
      if (named.includes(sha256)) return [{ story: name, seq, type, at, of: "file", end: size }]
      const ends = named.flatMap((one) => prefixes.get(one) ?? [])
      return ends.length === 0 ? [] : [{ story: name, seq, type, at, of: "earlier", end: Math.max(...ends) }]
    }),
  )
}

/** `onto` is the id of a document in some events, and a digest in others. */
function filesNamed({ data: { sha256, onto } }: EvidenceBody): readonly string[] {
  return [sha256, onto].filter((one): one is string => typeof one === "string" && SHA256.test(one))
}

/** Events by which the service itself says that it made this file; others only say that it was there. */
const MAKING: ReadonlySet<string> = new Set(["mark.made", "document.renewed", "seal.made"])

/**
 * Up to where a story answers for the file. What somebody appended behind it, and signed, is theirs alone: an earlier revision that a
 * story names says nothing of what the file shows now.
 */
export const toldUpTo = (mentions: readonly Mention[]): number =>
  Math.max(0, ...mentions.filter(({ of, type }) => of === "file" || MAKING.has(type)).map(({ end }) => end))
