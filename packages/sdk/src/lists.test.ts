import { afterEach, expect, it } from "vitest"
import { nextCursor } from "./lists.ts"
import { startTestService, type TestService } from "./testing/service.ts"

let service: TestService
afterEach(() => service?.close())

const query = (path: string) => Object.fromEntries(new URL(path, "http://x").searchParams)

/** Seven entries, as many on a page as it is asked for. */
const paged = ({ path }: { readonly path: string }) => {
  const { page_size = "3", cursor = "0" } = query(path)
  const end = Number(cursor) + Number(page_size)
  const items = [1, 2, 3, 4, 5, 6, 7].slice(Number(cursor), end).map((n) => ({ id: `d-${n}` }))
  const prev = `<https://elsewhere.example/v2/documents?cursor=p>; rel="prev"`
  const next = `<https://elsewhere.example/v2/documents?page_size=${page_size}&cursor=${end}>; rel="next"`
  return { body: items, headers: { link: end < 7 ? `${prev}, ${next}` : prev } }
}

it("goes through all pages, at the service itself and with what was asked for", async () => {
  service = await startTestService({ answer: paged })
  const ids: string[] = []
  const list = service.connect().v2.list("/documents", { query: { search: "a b", page_number: "1" } })
  for await (const { id } of list) ids.push(id)
  expect(ids).toEqual(["d-1", "d-2", "d-3", "d-4", "d-5", "d-6", "d-7"])
  expect(service.asked.map(({ path }) => query(path))).toEqual([
    { search: "a b", page_number: "1" },
    { search: "a b", cursor: "3" },
    { search: "a b", cursor: "6" },
  ])
})

it("asks for no page that nobody wants", async () => {
  service = await startTestService({ answer: paged })
  for await (const _ of service.connect().v2.list("/documents")) break
  expect(service.asked).toHaveLength(1)
})

it("page by page, one may stop and go on from there", async () => {
  service = await startTestService({ answer: paged })
  const { v2 } = service.connect()
  const first = await firstOf(v2.list("/documents", { query: { page_size: "5" } }).pages())
  expect(first).toMatchObject({ items: [{}, {}, {}, {}, {}], next: "5" })
  const rest = v2.list("/documents", { query: { page_size: "5", cursor: first?.next ?? "" } })
  expect(await allOf(rest)).toHaveLength(2)
})

it("the journal goes on over empty pages, ends where there is no more, and says where it stopped", async () => {
  const pages = [
    { events: [{ id: "e-1" }], next: "c1", has_more: true },
    { events: [], next: "c2", has_more: true },
    { events: [{ id: "e-2" }], next: "c3", has_more: false },
  ]
  service = await startTestService({ answer: (_, count) => ({ body: pages[count - 1] }) })
  const read = await allOf(
    service
      .connect()
      .v2.list("/events", { query: { page_size: "1" } })
      .pages(),
  )
  expect(read.map(({ next }) => next)).toEqual(["c1", "c2", "c3"])
  expect(read.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(["e-1", "e-2"])
  expect(service.asked.map(({ path }) => query(path).after)).toEqual([undefined, "c1", "c2"])
})

it("a refusal in the middle is thrown there", async () => {
  service = await startTestService({
    answer: (request, count) => (count === 2 ? { status: 403, body: {} } : paged(request)),
  })
  const seen: string[] = []
  const walk = async () => {
    for await (const { id } of service.connect().v2.list("/documents")) seen.push(id)
  }
  await expect(walk()).rejects.toMatchObject({ status: 403 })
  expect(seen).toHaveLength(3)
})

it.each([
  [null, null],
  ["", null],
  [`<https://a.example/x?cursor=a%2Bb>; rel="next"`, "a+b"],
  [`</x?cursor=p>; rel="prev", </x?page_size=2&cursor=n>; title="a, b"; rel=next`, "n"],
  [`</x?cursor=p>; rel="prev"`, null],
  [`</x>; rel="next"`, null],
])("Link %s leads to %s", (header, cursor) => {
  expect(nextCursor(header)).toBe(cursor)
})

async function allOf<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of list) all.push(each)
  return all
}

async function firstOf<T>(all: AsyncIterable<T>): Promise<T | undefined> {
  for await (const each of all) return each
  return undefined
}
