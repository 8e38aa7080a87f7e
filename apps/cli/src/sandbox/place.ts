import { createServer } from "node:net"
import { createClock } from "@paraph/server/clock"
import { NotUnderstood } from "../not-understood.ts"

/** Where a sandbox stands: its folder, its address, and the time and chance that it lives by. */
export type Place = {
  readonly folder: string
  readonly url: string
  readonly ports: Ports
  /** What ids, keys and serial numbers follow from; empty: from nothing. */
  readonly seed: string
  readonly clockFile: string
  readonly now: () => Date
}

/** Side by side, since addresses stand in certificates: the same seed needs the same ones. */
export type Ports = {
  readonly service: number
  readonly management: number
  readonly mails: number
  readonly smtp: number
  readonly trust: number
  readonly identity: number
  readonly qualified: readonly [number, number, number, number]
}

const COUNT = 10

export function placeAt(at: Pick<Place, "folder" | "seed" | "clockFile" | "ports">): Place {
  return { ...at, url: `http://localhost:${at.ports.service}`, now: createClock(at.clockFile) }
}

/** From that port on; where it is not fixed, from the next one after which all are free. */
export async function portsFrom(wanted: number, isFixed: boolean): Promise<Ports> {
  for (let first = wanted; first < wanted + 20 * COUNT; first += COUNT) {
    const taken = await firstTaken(first)
    if (taken === null) return portsAt(first)
    if (isFixed) throw new NotUnderstood(`Port ${taken} is taken; --port takes ${COUNT} in a row.`)
  }
  throw new NotUnderstood(`There are no ${COUNT} free ports in a row from ${wanted} on.`)
}

const portsAt = (first: number): Ports => ({
  service: first,
  management: first + 1,
  mails: first + 2,
  smtp: first + 3,
  trust: first + 4,
  identity: first + 5,
  qualified: [first + 6, first + 7, first + 8, first + 9],
})

async function firstTaken(first: number): Promise<number | null> {
  for (let port = first; port < first + COUNT; port += 1)
    for (const host of ["127.0.0.1", "localhost"]) if (!(await isFree(port, host))) return port
  return null
}

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer()
      .once("error", () => done(false))
      .listen(port, host, () => server.close(() => done(true)))
  })
