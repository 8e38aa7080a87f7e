import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { CellPlace } from "@paraph/store/directory/cells-file"
import { openDirectory } from "@paraph/store/directory/directory"
import { CannotMove } from "@paraph/store/moving/cell"
import { callOff, type Moved, moveBusiness, whereItIs } from "@paraph/store/moving/move"
import { shellUser } from "../admin-act.ts"
import type { Environment } from "../environment.ts"
import { Failed } from "../failed.ts"
import { NotUnderstood } from "../not-understood.ts"
import { cellsIn, directoryUrlIn, mustFit, type OpenedCell, openNamed } from "./open-cells.ts"

export type Asked = {
  readonly business: string
  readonly to: string
  readonly patienceMs: number
  readonly graceMs: number
}

/** `paraph cells move`: which cell it comes from is asked of the cells, not of whoever types. */
export async function move(env: Environment, asked: Asked, tell: (step: string) => void): Promise<Moved> {
  const places = cellsIn(env)
  const there = places.find(({ name }) => name === asked.to)
  if (there === undefined) throw new NotUnderstood(`There is no cell ${asked.to} in CELLS_FILE.`)
  const opened = new Map<string, OpenedCell>()
  const directory = openDirectory(directoryUrlIn(env))
  const folder = await mkdtemp(join(tmpdir(), "paraph-cells-"))
  try {
    for (const place of places) opened.set(place.name, await openNamed(place))
    const to = opened.get(asked.to)
    const from = await cellOf([...opened.values()], asked.business, asked.to)
    if (to === undefined || from === undefined)
      throw new Failed(`No other cell has the business ${asked.business}.`)
    const { patienceMs, graceMs, business: businessId } = asked
    const facts = mustFit(from, to)
    const moving = { from, to, directory, businessId, facts, folder, patienceMs, graceMs, tell }
    return await moveBusiness({ ...moving, shellUser: shellUser() })
  } catch (error) {
    throw error instanceof CannotMove ? new Failed(error.message) : error
  } finally {
    await rm(folder, { recursive: true, force: true })
    await directory.close()
    for (const cell of opened.values()) await cell.close()
  }
}

/** The one in which it lives or which it has not quite left; else one that it left in an earlier run. */
async function cellOf(
  cells: readonly OpenedCell[],
  business: string,
  to: string,
): Promise<OpenedCell | undefined> {
  const found: { readonly cell: OpenedCell; readonly leaving: string | null }[] = []
  for (const cell of cells) {
    if (cell.name === to) continue
    const { rows } = await cell.client.query<{ leaving: string | null }>(
      "select leaving from business where id = $1",
      [business],
    )
    for (const { leaving } of rows) found.push({ cell, leaving })
  }
  return (found.find(({ leaving }) => leaving !== "moved") ?? found[0])?.cell
}

/** `paraph cells cancel`. */
export async function cancel(env: Environment, businessId: string): Promise<string> {
  const places = cellsIn(env)
  const opened: OpenedCell[] = []
  const directory = openDirectory(directoryUrlIn(env))
  try {
    for (const place of places) opened.push(await openNamed(place))
    const from = await cellOf(opened, businessId, "")
    if (from === undefined) throw new Failed(`No cell has the business ${businessId}.`)
    for (const to of opened)
      if (to !== from && (await whereItIs({ from, to, businessId })) !== "to-move")
        throw new Failed(
          `The business is in ${to.name} already. Run the move again, and it goes on from there.`,
        )
    await callOff({ from, directory, businessId })
    return from.name
  } finally {
    await directory.close()
    for (const cell of opened) await cell.close()
  }
}

export type CellCount = {
  readonly cell: string
  readonly answers: boolean
  readonly businesses: readonly { readonly id: string; readonly leaving: string | null }[]
}

/** What a cell itself says of its businesses; one that does not answer says nothing. */
export async function countIn(place: CellPlace): Promise<CellCount> {
  const cell = await openNamed(place).catch(() => null)
  if (cell === null) return { cell: place.name, answers: false, businesses: [] }
  try {
    const { rows } = await cell.client.query<{ id: string; leaving: string | null }>(
      "select id, leaving from business where leaving is distinct from 'moved' order by id",
    )
    return { cell: place.name, answers: true, businesses: rows }
  } finally {
    await cell.close()
  }
}
