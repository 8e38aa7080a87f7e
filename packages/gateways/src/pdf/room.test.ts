import { randomBytes } from "node:crypto"
import { once } from "node:events"
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs"
import { getPriority, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { SealedFile } from "@paraph/seal/file"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import type { LooksAroundAsked } from "../testing/programs/looks-around.ts"
import { answering, reach } from "../testing/reach.ts"
import { sealedFileOf } from "../testing/sealed-file.ts"
import { compileAhead } from "./code-cache.ts"
import { PdfRoomsBusy } from "./failed.ts"
import { processorMs } from "./process-use.ts"
import { readableFor } from "./programs.ts"
import { type RoomLimits, startRoom } from "./room.ts"
import { surroundings } from "./surroundings.ts"

const LIMITS: RoomLimits = { rssLimitBytes: 300_000_000, wallMs: 10_000, cpuSeconds: 10 }
const NOBODY = { tcp4: 9, tcp6: 9, udp4: 9 }
const folder = mkdtempSync(join(tmpdir(), "paraph-room-"))
let file: SealedFile

beforeAll(async () => {
  file = await sealedFileOf(Buffer.from("one document"), folder)
})

afterAll(() => rmSync(folder, { recursive: true }))

it("ends a document that never ends, by the clock", async () => {
  await expect(misbehave("loop", { wallMs: 2000 })).rejects.toMatchObject(tooComplex("too long"))
})

it("[R18] ends a document that never ends, by its use of the processor", async () => {
  await expect(misbehave("loop", { cpuSeconds: 1, wallMs: 30_000 })).rejects.toMatchObject(
    tooComplex("ended"),
  )
})

it("[R18] blames it also where the process had taken most of that before", async () => {
  const room = startRoom(program("starts-slowly"), { ...LIMITS, cpuSeconds: 3, wallMs: 30_000 })
  await expect(room.ask({ file, asked: {} })).rejects.toMatchObject(tooComplex("ended"))
})

it("ends a document by the time that it was given, and has it make way for others before", async () => {
  const room = startRoom(program("misbehaves"), { ...LIMITS, wallMs: 60_000, givesWayAfterMs: 200 })
  const asked = room.ask({ file, asked: { deed: "loop" } }, { processorMs: 1500 })
  const ended = expect(asked).rejects.toMatchObject(tooComplex("too long"))
  const pid = room.process.pid ?? 0
  await vi.waitUntil(() => getPriority(pid) > getPriority(), { timeout: 100_000, interval: 20 })
  await ended
})

it("does not blame a document that got no time from the processor", async () => {
  const room = startRoom(program("misbehaves"), { ...LIMITS, wallMs: 1000 })
  await once(room.process.stdout ?? room.process, "data")
  room.process.kill("SIGSTOP")
  await expect(room.ask({ file, asked: { deed: "loop" } })).rejects.toBeInstanceOf(PdfRoomsBusy)
})

it.each(["that starts still", "that reads"])(
  "does not blame a document when somebody kills a process %s",
  async (when) => {
    const room = startRoom(program("misbehaves"), { ...LIMITS, cpuSeconds: 60 })
    if (when === "that reads") await once(room.process.stdout ?? room.process, "data")
    const before = processorMs(room.process.pid)
    const ended = expect(room.ask({ file, asked: { deed: "loop" } })).rejects.toBeInstanceOf(PdfRoomsBusy)
    await vi.waitUntil(() => processorMs(room.process.pid) > before + 20, { timeout: 30_000, interval: 5 })
    room.process.kill("SIGKILL")
    await ended
  },
)

it("[R18] ends a document that fills the memory, long before the machine feels it", async () => {
  await expect(misbehave("hog", {})).rejects.toMatchObject(tooComplex("memory"))
})

it.skipIf(surroundings().memory !== "limited")("gives no memory at all for a sudden burst", async () => {
  expect((await misbehave("burst", {})).header).toMatchObject({ type: "refused", code: "too-complex" })
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
  await expect(broken.ask({ file, asked: randomBytes(1_000_000) })).rejects.toThrow("did not start")
})

it("[R18] gives a process no environment, no files, no programs, no threads, no add-ons", async () => {
  const denied = "ERR_ACCESS_DENIED"
  expect(await lookAround({ others: {}, addresses: NOBODY })).toMatchObject({
    environment: 0,
    secret: denied,
    root: denied,
    write: denied,
    program: denied,
    thread: denied,
    addon: "ERR_DLOPEN_DISABLED",
  })
  expect(existsSync("/tmp/paraph-looked-around")).toBe(false)
})

it("[B6] gives a process the one document that it has the key of, and no other sealed file", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "paraph-elsewhere-"))
  const next = await sealedFileOf(Buffer.from("another one"), folder)
  const outside = await sealedFileOf(Buffer.from("one document"), elsewhere)
  const link = { ...outside, path: join(folder, "link") }
  symlinkSync(outside.path, link.path)
  const found = await lookAround({
    others: { itself: file, next: { ...next, key: file.key }, outside, link },
    addresses: NOBODY,
  })
  expect(found.document).toBe("one document")
  const denied = "ERR_ACCESS_DENIED"
  expect(found.others).toEqual({ itself: denied, next: denied, outside: denied, link: denied })
  // What was linked for it is gone with it, and the sealed file itself stays.
  await vi.waitUntil(() => !readdirSync(folder).some((name) => name.startsWith("process-")))
  expect(existsSync(file.path)).toBe(true)
  rmSync(elsewhere, { recursive: true })
})

it.skipIf(surroundings().files !== "none")("lets no process change what the next one runs", async () => {
  const poisons = program("poisons")
  const code = await compileAhead(poisons.file, realpathSync(folder), new AbortController().signal)
  if (code === null) throw new Error("Nothing was compiled ahead.")
  const { header } = await startRoom({ ...poisons, code }, LIMITS).ask({ file, asked: null })
  const { files, written } = (header as { value: { files: number; written: number } }).value
  expect(files).toBeGreaterThan(5)
  expect(written).toBe(0)
})

it.skipIf(surroundings().network !== "none")("gives a process no network, not even our own", async () => {
  const { addresses, close } = await answering()
  expect(await reach(addresses)).toEqual({ tcp4: "reached", tcp6: "reached", udp4: "reached" })
  // The launcher's filter denies the socket; without the launcher there is no route.
  const unreachable = expect.stringMatching(/^E(PERM|NETUNREACH|ADDRNOTAVAIL)$/)
  expect((await lookAround({ others: {}, addresses })).network).toEqual({
    tcp4: unreachable,
    tcp6: unreachable,
    udp4: unreachable,
  })
  close()
})

it("takes one document in its life", async () => {
  const room = startRoom(program("looks-around"), LIMITS)
  const told = { file, asked: { others: {}, addresses: NOBODY } }
  await room.ask(told)
  expect(room.isFree()).toBe(false)
  await expect(room.ask(told)).rejects.toThrow("gone")
})

it.skipIf(surroundings().rights !== "dropped")("is one process, and without rights", async () => {
  const room = startRoom(program("misbehaves"), LIMITS)
  await once(room.process.stdout ?? room.process, "data")
  const of = `/proc/${room.process.pid}`
  expect(readlinkSync(`${of}/exe`)).toBe(realpathSync(process.execPath))
  const status = readFileSync(`${of}/status`, "utf8")
  for (const line of [/^CapEff:\s0+$/m, /^NoNewPrivs:\s1$/m]) expect(status).toMatch(line)
  room.kill()
  await once(room.process, "close")
  expect(existsSync(of)).toBe(false)
})

function misbehave(deed: string, limits: Partial<RoomLimits>) {
  return startRoom(program("misbehaves"), { ...LIMITS, ...limits }).ask({ file, asked: { deed } })
}

async function lookAround(asked: LooksAroundAsked) {
  const { header } = await startRoom(program("looks-around"), LIMITS).ask({ file, asked })
  expect(header).toMatchObject({ type: "done" })
  return (header as { value: Record<string, unknown> }).value
}

function program(name: string) {
  const testing = fileURLToPath(new URL("../testing", import.meta.url))
  const code = readableFor(["@paraph/pades", "@paraph/seal"])
  return {
    file: join(testing, "programs", `${name}.ts`),
    folder,
    readable: [join(testing, "*"), ...code],
    addons: false,
  }
}

function tooComplex(words: string) {
  return { name: "PdfRefused", code: "too-complex", message: expect.stringContaining(words) }
}
