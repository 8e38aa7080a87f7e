import { setTimeout as pause } from "node:timers/promises"
import type { Directory } from "../directory/directory.ts"
import { CannotMove, type Cell } from "./cell.ts"
import { goOn, halt } from "./halt.ts"
import { type Facts, mustBeMovable } from "./may-move.ts"
import { copyObjects, ownObjects } from "./objects.ts"
import { moveJobs } from "./queue.ts"
import { removeRows } from "./remove.ts"
import { ChangedMeanwhile, type MovedRows, moveRows } from "./rows.ts"

export type Moving = {
  readonly from: Cell
  readonly to: Cell
  readonly directory: Directory
  readonly businessId: string
  readonly facts: Facts
  /** For objects on their way; they are sealed. */
  readonly folder: string
  readonly shellUser: string
  /** How long what is under way may take to end. */
  readonly patienceMs: number
  /** How long what is being read from the old cell may take to end, after the way has changed. */
  readonly graceMs: number
  readonly tell: (step: string) => void
}

export type Moved = {
  readonly rows: number
  readonly jobs: number
  readonly objects: number
  readonly bytes: number
  /** From the first refusal to the first answer of the new cell. */
  readonly stoodMs: number
}

const NOTHING: Moved = { rows: 0, jobs: 0, objects: 0, bytes: 0, stoodMs: 0 }

/** Where the business is, by the rows of both cells: the commit in the new cell is the moment from which it lives there. */
export async function whereItIs({ from, to, businessId }: Pick<Moving, "from" | "to" | "businessId">) {
  const [here, there] = [await leavingOf(from, businessId), await leavingOf(to, businessId)]
  if (there === null) {
    if (here === null)
      throw new CannotMove(`The business lives in ${from.name} and in ${to.name}. Was one of them restored?`)
    return here === "moved" || here === undefined ? ("moved" as const) : ("arrived" as const)
  }
  if (here === undefined || here === "moved")
    throw new CannotMove(`There is no such business in ${from.name}.`)
  return "to-move" as const
}

async function leavingOf({ client }: Cell, businessId: string): Promise<string | null | undefined> {
  const { rows } = await client.query<{ leaving: string | null }>(
    "select leaving from business where id = $1",
    [businessId],
  )
  return rows[0]?.leaving
}

/** Moves it, from wherever an earlier run has come to (ADR 0066). */
export async function moveBusiness(moving: Moving): Promise<Moved> {
  const { from, to, directory, businessId, graceMs, tell } = moving
  await mustBeAlone(from, businessId)
  const place = await whereItIs(moving)
  const moved = place === "to-move" ? await bring(moving) : NOTHING
  await directory.livesIn(businessId, to.name)
  tell(`${to.name} has it.`)
  if (place === "moved") return moved
  await pause(graceMs)
  await removeRows(from, businessId)
  tell(`${from.name} has nothing of it any more but its logs.`)
  return moved
}

/** Until the connection ends, as it does with whoever holds it. */
async function mustBeAlone({ client }: Cell, businessId: string): Promise<void> {
  const { rows } = await client.query<{ alone: boolean }>(
    "select pg_try_advisory_lock(hashtext('paraph move'), hashtext($1::text)) as alone",
    [businessId],
  )
  if (rows[0]?.alone !== true) throw new CannotMove("Somebody else is moving this business just now.")
}

async function bring(moving: Moving): Promise<Moved> {
  const { from, to, directory, businessId, folder, tell } = moving
  await mustBeMovable(from, to, businessId, moving.facts)
  const known = new Set<string>()
  const first = await copyObjects(from, to, businessId, folder, known)
  tell(`${first.objects} objects are in ${to.name}.`)
  const stoodAt = Date.now()
  await directory.moves(businessId, from.name, to.name)
  try {
    await halt(from, businessId, moving.patienceMs)
    const rest = await copyObjects(from, to, businessId, folder, known)
    tell(`${rest.objects} more; nobody acts for it now.`)
    const { rows, jobs } = await rowsAndJobs(moving)
    const [objects, bytes] = [first.objects + rest.objects, first.bytes + rest.bytes]
    return { rows, jobs, objects, bytes, stoodMs: Date.now() - stoodAt }
  } catch (error) {
    // Nothing has moved, and everybody can go on where they are; but where that cannot be seen, a further run will see it.
    if ((await whereItIs(moving)) === "to-move") await callOff(moving)
    throw error
  }
}

/** Everything is as it was before; what was copied is swept by the other cell in its time. */
export async function callOff({
  from,
  directory,
  businessId,
}: Pick<Moving, "from" | "directory" | "businessId">): Promise<void> {
  await goOn(from, businessId)
  await directory.livesIn(businessId, from.name)
}

/** A sweep of the old cell may take away what is over while all is read; then it is read again. */
const READS = 10

async function rowsAndJobs(moving: Moving): Promise<MovedRows & { readonly jobs: number }> {
  const { from, to, businessId, tell } = moving
  await record(from, moving)
  for (let nth = 1; ; nth += 1)
    try {
      let jobs = 0
      const moved = await moveRows(from, to, businessId, async () => {
        jobs = await moveJobs(from, to, businessId)
        await ownObjects(to, businessId)
        await logAgain(to, businessId)
      })
      tell(`${moved.rows} rows and ${jobs} jobs are in ${to.name}.`)
      return { ...moved, jobs }
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || nth === READS) throw error
    }
}

/** What the log of the new cell has not: in the order of each story, as `position` has it. Its worker gives it its places. */
const logAgain = ({ client }: Cell, businessId: string) =>
  client.query(
    `insert into log_waiting (position, kind)
       select e.position, s.kind from evidence e join story s on s.id = e.request_id
        where e.business_id = $1 and not exists (select from log_leaf l where l.position = e.position)
          and not exists (select from log_waiting w where w.position = e.position)`,
    [businessId],
  )

/** In the cell that it leaves; the row goes along. */
const record = ({ client, name }: Cell, { businessId, to, shellUser }: Moving) =>
  client.query(
    `insert into audit_log (at, shell_user, act, business_id, target, after)
       values (now(), $2, 'cells move', $1, $3, $4)`,
    [businessId, shellUser, `business ${businessId}`, JSON.stringify({ from: name, to: to.name })],
  )
