import { globSync } from "node:fs"
import { resolve } from "node:path"

/** Into so many parts is divided what a landing runs one of. */
export const TURNS = 4

/**
 * Of these, without those that stand apart, the files that are not run this time. A landing says whose turn it is (`PARAPH_TURN`, which `.ci/run` takes from the day), and
 * so each of them is run within as many days; whoever says nothing runs them all.
 */
export function notThisTurn(patterns: readonly string[], apart: readonly string[]): readonly string[] {
  const { PARAPH_TURN: said, PARAPH_LONG: long } = process.env
  if (said === undefined || long === "true") return []
  const turn = Number(said)
  if (!Number.isInteger(turn) || turn < 0 || turn >= TURNS)
    throw new Error(`PARAPH_TURN is 0 to ${TURNS - 1}.`)
  const files = globSync([...patterns], { cwd: resolve(import.meta.dirname, "../.."), exclude: [...apart] })
  return files.sort().filter((_, at) => at % TURNS !== turn)
}
