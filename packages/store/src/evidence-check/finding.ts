/** Something in the rows that the log contradicts, or that contradicts itself. */
export type Finding = {
  readonly found: /** A leaf is missing, or was given to nothing of this log. */
    | "leaf"
    /** Hashes that do not follow from the leaves. */
    | "tile"
    /** The head that was counted is not that of the leaves. */
    | "head"
    /** A signed head that is not one of this tree, or that the key has not signed. */
    | "checkpoint"
    /** The key is not the one by which the log is known. */
    | "key"
    /** A time-stamp over something else. */
    | "stamp"
    /** A story whose key is gone and that nobody erased, or the other way round. */
    | "story"
    /** A receipt for something else than what was erased. */
    | "receipt"
    /** Events that are missing, doubled, or in another order. */
    | "sequence"
    /** An event that says something else than what was logged, or cannot be opened. */
    | "event"
    /** An event that no log will have, or the log of another kind. */
    | "unlogged"
  readonly where: string
}

export const MOST_FINDINGS = 100
