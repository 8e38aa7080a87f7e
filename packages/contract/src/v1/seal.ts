import * as v2 from "../v2/seal.ts"

/** Seals are the same in v1 as in v2 (part 4.4). */
export const SealBody = v2.SealBody
export type SealBody = v2.SealBody
export const SealAnswer = v2.SealAnswer
export type SealAnswer = v2.SealAnswer
export const readSeal = v2.readSeal
