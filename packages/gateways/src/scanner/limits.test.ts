import { once } from "node:events"
import { afterEach, expect, it } from "vitest"
import { TENANT } from "../testing/tenant.ts"
import { createScanner } from "./scanner.ts"
import { writeDatedSignatures } from "./testing/dated-signatures.ts"
import { type OwnClamd, PLANTED, startOwnClamd } from "./testing/own-clamd.ts"
import { document, pieces } from "./testing/sources.ts"

const LARGEST = 112_500_000
let clamd: OwnClamd | undefined

afterEach(async () => {
  await clamd?.close()
  clamd = undefined
})

it("[R21] is told by clamd's own limits that it saw too little, and never that the document is clean", async () => {
  clamd = await startOwnClamd()
  const { scan, covers } = createScanner({ address: clamd.address })
  const at = LARGEST - PLANTED.length
  const limit = expect.objectContaining({ name: "ScannerFailed", code: "limit" })
  await expect(scan(TENANT, document(LARGEST, { text: PLANTED, at }), LARGEST)).rejects.toEqual(limit)
  expect(await covers(LARGEST)).toBe(false)
})

it("hears the refusal of what is too large, however early clamd closes", async () => {
  clamd = await startOwnClamd("StreamMaxLength 1M")
  const { scan } = createScanner({ address: clamd.address })
  for (let round = 0; round < 50; round += 1)
    await expect(scan(TENANT, document(5_000_000), 5_000_000)).rejects.toMatchObject({ code: "limit" })
})

it("sees through a clamd that calls clean what it did not look at", async () => {
  // Security, finding 6: the limit of the stream was raised, and the others were forgotten.
  clamd = await startOwnClamd("StreamMaxLength 256M")
  const { scan, covers } = createScanner({ address: clamd.address })
  const at = LARGEST - PLANTED.length
  expect(await scan(TENANT, document(LARGEST, { text: PLANTED, at }), LARGEST)).toEqual({ clean: true })
  expect(await covers(LARGEST)).toBe(false)
})

it("gives no verdict when clamd stops at what it may unpack, or when its time is up", async () => {
  clamd = await startOwnClamd("AlertExceedsMax yes", "MaxFileSize 2M", "MaxScanTime 60000")
  const tooLarge = createScanner({ address: clamd.address }).scan(TENANT, document(5_000_000), 5_000_000)
  await expect(tooLarge).rejects.toMatchObject({ code: "limit" })
  await clamd.close()

  clamd = await startOwnClamd("AlertExceedsMax yes", "MaxScanTime 1")
  const tooSlow = createScanner({ address: clamd.address }).scan(TENANT, document(60_000_000), 60_000_000)
  await expect(tooSlow).rejects.toMatchObject({ code: "timeout" })
})

it("tells when ClamAV published the signatures that clamd has loaded", async () => {
  clamd = await startOwnClamd()
  const { health } = createScanner({ address: clamd.address })
  expect((await health()).signaturesFrom).toBeNull()
  const published = new Date("2026-11-05T07:30:00Z")
  await writeDatedSignatures(clamd.folder, published)
  // clamd(8): read the signatures again.
  clamd.process.kill("SIGUSR2")
  await expect.poll(async () => (await health()).signaturesFrom, { timeout: 60_000 }).toEqual(published)
})

it("gives up on a scanner that hangs", async () => {
  clamd = await startOwnClamd()
  clamd.process.kill("SIGSTOP")
  const short = { address: clamd.address, idleMs: 300, minTotalMs: 900, msPerMegabyte: 0 }
  const { scan, health } = createScanner({ ...short, idleMs: 60_000, connectMs: 500 })
  // The system takes a small document on behalf of the scanner, so only the answer is missing.
  await expect(scan(TENANT, pieces("small"), 5)).rejects.toMatchObject({
    code: "timeout",
    message: expect.stringMatching(/too long/),
  })
  const stuck = createScanner({ ...short, minTotalMs: 60_000 }).scan(TENANT, document(20_000_000), 20_000_000)
  await expect(stuck).rejects.toMatchObject({
    code: "timeout",
    message: expect.stringMatching(/no more bytes/),
  })
  await expect(health()).rejects.toMatchObject({ code: "timeout" })
})

it("fails when the scanner dies in the middle, even while the source keeps it waiting", async () => {
  clamd = await startOwnClamd()
  const { process } = clamd
  let closed = false
  const { promise: until, resolve: goOn } = Promise.withResolvers<void>()
  const source = async function* () {
    try {
      yield* document(2_000_000)
      process.kill("SIGKILL")
      await until
      yield* document(2_000_000)
    } finally {
      closed = true
    }
  }
  await expect(
    createScanner({ address: clamd.address }).scan(TENANT, source(), 4_000_000),
  ).rejects.toMatchObject({
    code: "down",
  })
  expect(closed).toBe(false)
  goOn()
  await expect.poll(() => closed).toBe(true)
})

it("is down when nobody is there", async () => {
  clamd = await startOwnClamd()
  clamd.process.kill("SIGKILL")
  await once(clamd.process, "exit")
  for (const address of [clamd.address, "tcp://127.0.0.1:1"]) {
    const { scan, health } = createScanner({ address })
    await expect(scan(TENANT, pieces("text"), 4)).rejects.toMatchObject({
      name: "ScannerFailed",
      code: "down",
    })
    await expect(health()).rejects.toMatchObject({ code: "down" })
  }
})
