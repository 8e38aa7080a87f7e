import { readFileSync } from "node:fs"

/** A cell as the router and whoever moves businesses know it; only from here, never from a caller. */
export type CellPlace = {
  readonly name: string
  /** Where its api answers. */
  readonly url: string
  /** Its management port, where it says what it knows. */
  readonly management: string
  /** Host names that are this cell's alone, such as that of its authority. */
  readonly hosts: readonly string[]
  /** A file with its settings, as its worker and its migration have them; of no use to a router. */
  readonly settings: string | null
}

/** `CELLS_FILE`: `{"cells": [{"name", "url", "management", "hosts", "settings"}]}`, the first one for what is nobody's. */
export function readCells(path: string): readonly CellPlace[] {
  const read: unknown = JSON.parse(readFileSync(path, "utf8"))
  const cells = isObject(read) && Array.isArray(read.cells) ? read.cells.map(cellOf) : []
  if (cells.length === 0) throw new Error(`${path} names no cells.`)
  const names = new Set(cells.map(({ name }) => name))
  if (names.size !== cells.length) throw new Error(`${path} has two cells of one name.`)
  return cells
}

function cellOf(given: unknown): CellPlace {
  if (!isObject(given)) throw new Error("A cell is an object.")
  const { name, url, management, hosts = [], settings = null } = given
  if (typeof name !== "string" || !/^[a-z][a-z0-9-]{0,30}$/.test(name))
    throw new Error("The name of a cell is up to 31 small letters, digits and hyphens.")
  if (!Array.isArray(hosts) || !hosts.every((host) => typeof host === "string"))
    throw new Error(`hosts of ${name} is a list of names.`)
  if (settings !== null && typeof settings !== "string") throw new Error(`settings of ${name} is a file.`)
  return {
    name,
    url: originOf(name, url),
    management: originOf(name, management),
    hosts: hosts.map((host) => host.toLowerCase()),
    settings,
  }
}

function originOf(name: string, given: unknown): string {
  const url = typeof given === "string" ? URL.parse(given) : null
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== "/" ||
    url.search !== "" ||
    url.username !== ""
  )
    throw new Error(`url and management of ${name} are addresses without a path.`)
  return url.origin
}

const isObject = (it: unknown): it is Readonly<Record<string, unknown>> =>
  typeof it === "object" && it !== null && !Array.isArray(it)
