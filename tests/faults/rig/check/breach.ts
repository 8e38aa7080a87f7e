/** What must hold whatever happens (security, 2.1). */
export const INVARIANTS = {
  I1: "every acknowledged write is readable later with the same content",
  I2: "an unacknowledged write is fully there or fully absent; the same key gives the same id",
  I3: "at most one signature for each entry, over the document that was shown",
  I4: "each signed version begins with the bytes of the one before",
  I5: "every PDF that was given as signed verifies, by ours and by two others",
  I6: "only legal histories; an end is never left",
  I7: "each callback comes at least once, in order, and none before its commit",
  I8: "each invitation comes at least once, and none for a request that is not there",
  I9: "the evidence is whole and fits its log",
  I10: "every object has its row, every row its object",
  I11: "no business is told of another",
  I12: "what is open goes on after the last fault",
  I13: "no secret in a log",
} as const
export type Invariant = keyof typeof INVARIANTS

export type Breach = { readonly invariant: Invariant; readonly what: string }

export type Counted = {
  readonly breaches: readonly Breach[]
  readonly looked: Readonly<Record<string, number>>
}
