import type { CellPlace } from "@paraph/store/directory/cells-file"
import type { Directory, Known } from "@paraph/store/directory/directory"
import type { Ask } from "./ask-cells.ts"

/** Where somebody is: in a cell, on the way to another, in none, or it cannot be said while some cell is silent. */
export type Found = { readonly cell: CellPlace } | "moving" | "unknown" | "silent"

export type Whereabouts = (name: string) => Promise<Found>

/** So old may be what a router believes; a cell that a business has left refuses by itself. */
export const REMEMBER_MS = 2_000
const REMEMBER_AT_MOST = 50_000
/** Whoever sends nonsense has the cells asked: so many at once, and no more. */
const ASKED_AT_ONCE = 64

type Parts = {
  readonly cells: readonly CellPlace[]
  readonly directory: Pick<Directory, "find" | "learn">
  readonly ask: Ask
  readonly now: () => number
}

/** The directory, remembered for seconds; what it does not know, the cells are asked once. */
export function createWhereabouts(parts: Parts): Whereabouts {
  const known = new Map<string, { readonly found: Promise<Found>; readonly untilMs: number }>()
  let asked = 0
  const look = async (name: string): Promise<Found> => {
    const told = await parts.directory.find(name)
    if (told !== null) return foundIn(parts.cells, told)
    if (asked >= ASKED_AT_ONCE) return "silent"
    asked += 1
    try {
      return await askAll(parts, name)
    } finally {
      asked -= 1
    }
  }
  return (name) => {
    const kept = known.get(name)
    if (kept !== undefined && kept.untilMs > parts.now()) return kept.found
    if (known.size >= REMEMBER_AT_MOST) known.clear()
    const found = look(name)
    known.set(name, { found, untilMs: parts.now() + REMEMBER_MS })
    // What cannot be said is asked again by the next one.
    const forget = () => known.get(name)?.found === found && known.delete(name)
    found.then((where) => where === "silent" && forget(), forget)
    return found
  }
}

function foundIn(cells: readonly CellPlace[], told: Known): Found {
  if ("home" in told && told.home.state === "moving") return "moving"
  const name = "home" in told ? told.home.cell : told.cell
  const cell = cells.find((one) => one.name === name)
  // A cell that the directory knows and our settings do not: nobody is sent to an address that we were not given.
  return cell === undefined ? "silent" : { cell }
}

/** Whoever says so first in the order of the settings is believed; usernames are one business's in a region, or this is how it is settled. */
async function askAll({ cells, ask, directory }: Parts, name: string): Promise<Found> {
  const said = await Promise.all(cells.map((cell) => ask(cell, name)))
  for (const [index, cell] of cells.entries()) {
    const one = said[index]
    if (one === undefined || typeof one === "string") continue
    await directory.learn(name, cell.name, one.business)
    // A business that was known already may be on its way, or be known by another name.
    const told = await directory.find(name)
    return told === null ? { cell } : foundIn(cells, told)
  }
  return said.includes("silent") ? "silent" : "unknown"
}
