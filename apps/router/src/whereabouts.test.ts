import type { Known } from "@paraph/store/directory/directory"
import { expect, it } from "vitest"
import type { Said } from "./ask-cells.ts"
import { createWhereabouts, REMEMBER_MS } from "./whereabouts.ts"

const cell = (name: string) => ({
  name,
  url: `http://${name}.test`,
  management: `http://${name}.test:81`,
  hosts: [],
  settings: null,
})
const cells = [cell("a"), cell("b")]

function world(said: Readonly<Record<string, Said>>) {
  const rows = new Map<string, Known>()
  const asked: string[] = []
  const clock = { ms: 0 }
  const whereabouts = createWhereabouts({
    cells,
    directory: {
      find: async (name) => rows.get(name) ?? null,
      learn: async (name, of, business) =>
        void rows.set(
          name,
          business === null ? { cell: of } : { home: { business, cell: of, state: "here" } },
        ),
    },
    ask: async ({ name }) => {
      asked.push(name)
      return said[name] ?? "unknown"
    },
    now: () => clock.ms,
  })
  return { rows, asked, clock, whereabouts }
}

it("asks the cells once for a name, and then the directory", async () => {
  const { whereabouts, asked, clock, rows } = world({ b: { business: "1" } })
  expect(await whereabouts("user:x")).toEqual({ cell: cells[1] })
  clock.ms += REMEMBER_MS + 1
  expect(await whereabouts("user:x")).toEqual({ cell: cells[1] })
  expect(asked).toEqual(["a", "b"])
  rows.set("user:x", { home: { business: "1", cell: "b", state: "moving" } })
  expect(await whereabouts("user:x")).toEqual({ cell: cells[1] })
  clock.ms += REMEMBER_MS + 1
  expect(await whereabouts("user:x")).toBe("moving")
  rows.set("user:x", { home: { business: "1", cell: "a", state: "here" } })
  clock.ms += REMEMBER_MS + 1
  expect(await whereabouts("user:x")).toEqual({ cell: cells[0] })
})

it("says that a name is unknown when all have said so, and not while one is silent", async () => {
  expect(await world({}).whereabouts("key:x")).toBe("unknown")
  expect(await world({ a: "silent" }).whereabouts("key:x")).toBe("silent")
  expect(await world({ a: "silent", b: { business: "1" } }).whereabouts("key:x")).toEqual({ cell: cells[1] })
})

it("sends nobody to a cell that the settings do not name", async () => {
  const { whereabouts, rows } = world({})
  rows.set("user:x", { cell: "c" })
  expect(await whereabouts("user:x")).toBe("silent")
})
