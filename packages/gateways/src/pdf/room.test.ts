import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { readableFor } from "./programs.ts"
import { type RoomLimits, startRoom } from "./room.ts"

const LIMITS: RoomLimits = { rssLimitBytes: 300_000_000, wallMs: 10_000, cpuSeconds: 10 }

it("ends a document that never ends, by the clock", async () => {
  await expect(misbehave("loop", { wallMs: 1500 })).rejects.toMatchObject(tooComplex("too long"))
})

it("ends a document that never ends, by its use of the processor", async () => {
  await expect(misbehave("loop", { cpuSeconds: 1, wallMs: 30_000 })).rejects.toMatchObject(
    tooComplex("ended"),
  )
})

it("ends a document that fills the memory, long before the machine feels it", async () => {
  await expect(misbehave("hog", {})).rejects.toMatchObject(tooComplex("memory"))
})

it("tells a document that is too deep, or ends its process, as too complex", async () => {
  expect((await misbehave("deep", {})).header).toMatchObject({ type: "refused", code: "too-complex" })
  for (const deed of ["exit", "garbage"])
    await expect(misbehave(deed, {})).rejects.toMatchObject(tooComplex(""))
})

it("tells a mistake of ours apart from a fault of the document", async () => {
  expect((await misbehave("fault", {})).header).toEqual({
    type: "fault",
    message: "TypeError: a mistake of ours",
  })
  const broken = startRoom(program("does-not-start"), LIMITS)
  await expect(broken.ask({}, new Uint8Array(1_000_000))).rejects.toThrow("did not start")
})

it("gives a process no environment, no files, no programs, no threads, no add-ons", async () => {
  const { header } = await startRoom(program("looks-around"), LIMITS).ask(null, new Uint8Array())
  const denied = "ERR_ACCESS_DENIED"
  expect(header).toEqual({
    type: "done",
    value: {
      environment: 0,
      secret: denied,
      root: denied,
      write: denied,
      program: denied,
      thread: denied,
      addon: "ERR_DLOPEN_DISABLED",
    },
  })
  expect(existsSync("/tmp/paraph-looked-around")).toBe(false)
})

it("takes one document in its life", async () => {
  const room = startRoom(program("looks-around"), LIMITS)
  await room.ask(null, new Uint8Array())
  expect(room.isFree()).toBe(false)
  await expect(room.ask(null, new Uint8Array())).rejects.toThrow("gone")
})

function misbehave(deed: string, limits: Partial<RoomLimits>) {
  return startRoom(program("misbehaves"), { ...LIMITS, ...limits }).ask({ deed }, new Uint8Array(100_000))
}

function program(name: string) {
  const file = fileURLToPath(new URL(`../testing/programs/${name}.ts`, import.meta.url))
  return { file, readable: readableFor(["@paraph/pades"]), addons: false }
}

function tooComplex(words: string) {
  return { name: "PdfRefused", code: "too-complex", message: expect.stringContaining(words) }
}
