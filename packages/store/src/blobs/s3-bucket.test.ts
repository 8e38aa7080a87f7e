import { randomBytes } from "node:crypto"
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { isPartDown } from "../part-down.ts"
import { createOwnBucket, type OwnBucket } from "../testing/own-bucket.ts"
import { type Rule, type S3Proxy, startS3Proxy } from "../testing/s3-proxy.ts"
import { collect, createSealedFiles, newName } from "../testing/sealed-files.ts"
import { type Bucket, BucketLied, NameTaken, ObjectMissing } from "./bucket.ts"
import { createS3Bucket } from "./s3-bucket.ts"
import type { S3Timing } from "./s3-client.ts"

const TIMING: S3Timing = { connectMs: 10_000, silenceMs: 10_000, lookMs: 10_000, pausesMs: [10, 20, 30] }
/** Where silence is what is tested. */
const HASTY: S3Timing = { ...TIMING, silenceMs: 1_000, lookMs: 1_000 }

const files = createSealedFiles()
const bytes = randomBytes(300_000)
let own: OwnBucket
let proxy: S3Proxy
/** The same bucket by two ways: past the proxy, and through it. */
let direct: Bucket
let bucket: Bucket

beforeAll(async () => {
  own = await createOwnBucket()
  direct = createS3Bucket(own.settings)
})
afterAll(async () => {
  direct.close()
  await own.close()
  files.close()
})
beforeEach(async () => {
  proxy = await startS3Proxy(own.settings.endpoint)
  bucket = createS3Bucket({ ...own.settings, endpoint: proxy.url, timing: TIMING })
})
afterEach(async () => {
  bucket.close()
  await proxy.close()
})

const asked = (method: string) => proxy.seen().filter((one) => one.method === method)
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )
const beHasty = () => {
  bucket.close()
  bucket = createS3Bucket({ ...own.settings, endpoint: proxy.url, timing: HASTY })
}
const isStored = async (name: string) => (await collect(direct.get(name))).equals(bytes)

describe("a put through a store that misbehaves", () => {
  const put = async (rule: Rule | null, name = newName()) => {
    if (rule?.fault === "hang") beHasty()
    await proxy.misbehave(rule)
    const error = await errorOf(bucket.put(name, files.of(bytes)))
    return { name, error, attempts: asked("PUT").length }
  }
  const expectDown = async (rule: Rule, wanted: { readonly attempts: number }) => {
    const { name, error, attempts } = await put(rule)
    expect(isPartDown(error)).toBe(true)
    expect(attempts).toBe(wanted.attempts)
    await expect(collect(direct.get(name))).rejects.toThrow(ObjectMissing)
    return error
  }
  const expectStored = async (rule: Rule | null, wanted: { readonly attempts: number }) => {
    const { name, error, attempts } = await put(rule)
    expect(error).toBeUndefined()
    expect(attempts).toBe(wanted.attempts)
    expect(await isStored(name)).toBe(true)
  }

  it("[R36] one that behaves is asked once, with the condition and our checksum, and looked at once", async () => {
    await expectStored(null, { attempts: 1 })
    const headers = asked("PUT")[0]?.headers
    expect(headers).toMatchObject({ "if-none-match": "*", "content-length": "300000" })
    expect(headers).toHaveProperty("x-amz-checksum-crc32")
    for (const name of ["transfer-encoding", "content-encoding", "x-amz-trailer", "expect"])
      expect(headers).not.toHaveProperty(name)
    expect(asked("HEAD").map((one) => one.headers["x-amz-checksum-mode"])).toEqual(["ENABLED"])
  })

  it("nobody listens: down, and well again when somebody does", async () => {
    await expectDown({ fault: "refuse" }, { attempts: 0 })
    await expectStored(null, { attempts: 1 })
  })
  it("503: three attempts, then down", () => expectDown({ fault: "unavailable" }, { attempts: 3 }))
  it("503 twice: the third attempt stores it", () =>
    expectStored({ fault: "unavailable", method: "PUT", times: 2 }, { attempts: 3 }))
  it("silence: down after one attempt, since somebody waits", () =>
    expectDown({ fault: "hang" }, { attempts: 1 }))
  it("silence once, from a store that answers the look: another attempt", () =>
    expectStored({ fault: "hang", method: "PUT", times: 1 }, { attempts: 2 }))
  it("slowness is not silence", () =>
    expectStored({ fault: "slow", bytesPerSecond: 200_000 }, { attempts: 1 }))

  it("[R36] 200 but lost: an error after one more attempt, never a success", async () => {
    expect(await expectDown({ fault: "swallow", method: "PUT" }, { attempts: 2 })).toBeInstanceOf(BucketLied)
  })
  it("200 but lost once: the second attempt stores it", () =>
    expectStored({ fault: "swallow", method: "PUT", times: 1 }, { attempts: 2 }))

  it("a body that is cut: three attempts, then down, and no half object", () =>
    expectDown({ fault: "cut-request", afterBytes: 100_000, method: "PUT" }, { attempts: 3 }))
  it("a body that is cut once: stored", () =>
    expectStored({ fault: "cut-request", afterBytes: 100_000, method: "PUT", times: 1 }, { attempts: 2 }))

  it("bytes that change on their way are refused by the store: our CRC-32 is checked there", async () => {
    const { name, error } = await put({ fault: "corrupt-request", method: "PUT" })
    expect(error).toMatchObject({ name: "BadDigest", $metadata: { httpStatusCode: 400 } })
    expect(isPartDown(error)).toBe(true)
    await expect(collect(direct.get(name))).rejects.toThrow(ObjectMissing)
  })
  it("bytes that change once: stored", () =>
    expectStored({ fault: "corrupt-request", method: "PUT", times: 1 }, { attempts: 2 }))

  it.each(["lose-answer", "answer-500"] as const)("%s: what is stored is not sent again", (fault) =>
    expectStored({ fault, method: "PUT" }, { attempts: 1 }),
  )
  it.each(["lose-answer", "answer-500"] as const)(
    "%s, of the look too: the name is taken then, by ourselves",
    async (fault) => {
      await expectStored({ fault, times: 2 }, { attempts: 2 })
      expect(proxy.seen().map((one) => one.method)).toEqual(["PUT", "HEAD", "PUT", "HEAD"])
    },
  )
  it.each([null, { fault: "lose-answer", method: "PUT" }] as const)(
    "a name that is somebody else's is taken (%o)",
    async (rule) => {
      const name = newName()
      await direct.put(name, files.of(bytes))
      await proxy.misbehave(rule)
      const other = files.of(randomBytes(bytes.length))
      await expect(bucket.put(name, other)).rejects.toThrow(NameTaken)
      expect(asked("PUT")).toHaveLength(1)
      expect(await isStored(name)).toBe(true)
    },
  )

  it("a refusal that comes before the body is read lets go of the connection", async () => {
    await proxy.misbehave({ fault: "unavailable", method: "PUT" })
    await expect(bucket.put(newName(), files.of(randomBytes(20_000_000)))).rejects.toThrow()
    // The one on which the looks were had is whole, and kept.
    await expect.poll(() => proxy.connections()).toBe(1)
  })

  it("a key that is wrong, or a bucket that is not there, is a fault and not an outage", async () => {
    const [small, large] = [files.of(randomBytes(100)), files.of(randomBytes(20_000_000))]
    const keys = { accessKey: own.settings.keys?.accessKey ?? "", secretKey: "wrong" }
    const cases = [
      { wrong: { keys }, file: small },
      // The store hangs up before it has read the body, so its refusal is often lost; the look hears it again.
      { wrong: { keys }, file: large },
      { wrong: { bucket: "no-such-bucket" }, file: small },
    ]
    for (const { wrong, file } of cases) {
      const other = createS3Bucket({ ...own.settings, endpoint: proxy.url, timing: TIMING, ...wrong })
      const before = asked("PUT").length
      const error = await errorOf(other.put(newName(), file))
      expect(error).toBeInstanceOf(Error)
      expect(isPartDown(error)).toBe(false)
      expect(asked("PUT").length - before).toBe(1)
      await expect(other.health()).rejects.toThrow()
      // Whoever cannot look must not say that an object is lost.
      expect(await errorOf(collect(other.get(newName())))).not.toBeInstanceOf(ObjectMissing)
      other.close()
    }
  })
})

describe("a get through a store that misbehaves", () => {
  let name: string
  const large = randomBytes(8_000_000)
  let largeName: string
  beforeAll(async () => {
    ;[name, largeName] = [newName(), newName()]
    await direct.put(name, files.of(bytes))
    await direct.put(largeName, files.of(large))
  })
  const get = async (rule: Rule | null, range?: { readonly start: number; readonly end: number }) => {
    if (rule?.fault === "hang" || rule?.fault === "stall-response") beHasty()
    await proxy.misbehave(rule)
    return collect(bucket.get(name, range))
  }
  const expectDown = async (rule: Rule, wanted: { readonly attempts: number }) => {
    expect(isPartDown(await errorOf(get(rule)))).toBe(true)
    expect(asked("GET")).toHaveLength(wanted.attempts)
  }

  it("nobody listens: down", () => expectDown({ fault: "refuse" }, { attempts: 0 }))
  it("503, or a body that is cut at its beginning, again and again: down", async () => {
    await expectDown({ fault: "unavailable" }, { attempts: 4 })
    await expectDown({ fault: "cut-response", afterBytes: 10 }, { attempts: 8 })
  })
  it("silence before the first byte: down after one attempt, since somebody waits", () =>
    expectDown({ fault: "hang" }, { attempts: 1 }))
  it.each<Rule>([
    { fault: "unavailable", times: 3 },
    { fault: "lose-answer", times: 1 },
    { fault: "answer-500", times: 1 },
    { fault: "cut-response", afterBytes: 0, times: 3 },
    { fault: "cut-response", afterBytes: 299_999, times: 1 },
    { fault: "stall-response", afterBytes: 100_000, times: 1 },
    { fault: "slow", bytesPerSecond: 400_000 },
  ])("%o: every byte comes, once and in order", async (rule) => {
    expect((await get(rule)).equals(bytes)).toBe(true)
  })

  it("goes on from the byte it had reached, on the condition that it is the same object", async () => {
    expect((await get({ fault: "cut-response", afterBytes: 100_000, times: 1 })).equals(bytes)).toBe(true)
    const [first, second] = asked("GET").map((one) => one.headers)
    expect(first).not.toHaveProperty("range")
    expect(second?.["if-match"]).toMatch(/^"[0-9a-f]{32}"$/)
    const from = Number(/^bytes=(\d+)-299999$/.exec(String(second?.range))?.[1])
    expect(from).toBeGreaterThan(0)
    expect(from).toBeLessThanOrEqual(100_000)
  })

  it("goes on within a range too, and as often as there is progress in between", async () => {
    const range = { start: 1_000, end: 290_000 }
    const got = await get({ fault: "cut-response", afterBytes: 70_000 }, range)
    expect(got.equals(bytes.subarray(1_000, 290_000))).toBe(true)
    expect(asked("GET").length).toBeGreaterThanOrEqual(5)
  })

  it("lives on when the store is started again in the middle", async () => {
    const got: Uint8Array[] = []
    for await (const piece of bucket.get(largeName)) {
      if (got.length === 0) {
        await proxy.misbehave({ fault: "refuse" })
        await proxy.misbehave(null)
      }
      got.push(piece)
    }
    expect(Buffer.concat(got).equals(large)).toBe(true)
    expect(asked("GET")).toHaveLength(2)
  })

  it("does not go on with an object that was removed or is another by now", async () => {
    const { administrator, settings } = own
    const changes = [
      new DeleteObjectCommand({ Bucket: settings.bucket, Key: largeName }),
      new PutObjectCommand({ Bucket: settings.bucket, Key: largeName, Body: randomBytes(large.length) }),
    ]
    const errors: unknown[] = []
    for (const change of changes) {
      await direct.remove(largeName)
      await direct.put(largeName, files.of(large))
      await proxy.misbehave({ fault: "cut-response", afterBytes: 200_000, times: 1 })
      const reading = bucket.get(largeName)[Symbol.asyncIterator]()
      await reading.next()
      if (change instanceof DeleteObjectCommand) await administrator.send(change)
      else await administrator.send(change)
      const readOn = async () => {
        while (!(await reading.next()).done);
      }
      errors.push(await errorOf(readOn()))
    }
    expect(errors[0]).toBeInstanceOf(ObjectMissing)
    expect(errors[1]).toMatchObject({ message: expect.stringContaining("was changed while it was read") })
    await direct.remove(largeName)
    await direct.put(largeName, files.of(large))
  })

  it("lets go of the connection when the reader stops early", async () => {
    const open = await proxy.connections()
    for await (const _ of bucket.get(largeName)) {
      expect(await proxy.connections()).toBe(open + 1)
      break
    }
    await expect.poll(() => proxy.connections()).toBe(open)
  })

  it("waits for a reader who pauses for longer than a store may be silent", async () => {
    beHasty()
    const got: Uint8Array[] = []
    for await (const piece of bucket.get(largeName)) {
      // The silence of the reader is what is tested here.
      if (got.length === 0) await new Promise((resolve) => setTimeout(resolve, HASTY.silenceMs * 1.5))
      got.push(piece)
    }
    expect(Buffer.concat(got).equals(large)).toBe(true)
    expect(asked("GET")).toHaveLength(1)
  })

  it("sixty readers who have stopped keep nobody from reading, storing or asking", async () => {
    const readers = Array.from({ length: 60 }, () => bucket.get(largeName)[Symbol.asyncIterator]())
    await Promise.all(readers.map((reader) => reader.next()))
    const other = newName()
    await bucket.put(other, files.of(bytes))
    expect((await collect(bucket.get(other))).equals(bytes)).toBe(true)
    await bucket.health()
    await Promise.all(readers.map((reader) => reader.return?.()))
  })
})

describe("the rest of the bucket", () => {
  it("lists more than a page, though the store is away for a moment in between", {
    timeout: 300_000,
  }, async () => {
    const paged = await createOwnBucket()
    const names = Array.from({ length: 1_050 }, newName).sort()
    const queue = names.values()
    const fill = async () => {
      for (const Key of queue)
        await paged.administrator.send(
          new PutObjectCommand({ Bucket: paged.settings.bucket, Key, Body: "x" }),
        )
    }
    await Promise.all(Array.from({ length: 8 }, fill))
    const through = createS3Bucket({ ...paged.settings, endpoint: proxy.url, timing: TIMING })
    const listed: string[] = []
    for await (const { name } of through.list()) {
      if (listed.length === 0) await proxy.misbehave({ fault: "unavailable", times: 2 })
      listed.push(name)
    }
    expect(listed).toEqual(names)
    expect(asked("GET")).toHaveLength(4)
    through.close()
    await paged.close()
  })

  it("removes, though the answer was lost", async () => {
    const name = newName()
    await direct.put(name, files.of(bytes))
    await proxy.misbehave({ fault: "lose-answer", times: 1 })
    await bucket.remove(name)
    expect(asked("DELETE")).toHaveLength(2)
    await expect(collect(direct.get(name))).rejects.toThrow(ObjectMissing)
  })

  it.each(["refuse", "unavailable", "hang"] as const)("its health says so: %s", async (fault) => {
    beHasty()
    await bucket.health()
    await proxy.misbehave({ fault })
    expect(isPartDown(await errorOf(bucket.health()))).toBe(true)
  })

  it("ends what is under way when it is closed, and begins nothing new", async () => {
    const patient = { ...TIMING, silenceMs: 60_000, lookMs: 60_000 }
    const closing = createS3Bucket({ ...own.settings, endpoint: proxy.url, timing: patient })
    await proxy.misbehave({ fault: "hang" })
    const ends = [closing.put(newName(), files.of(bytes)), collect(closing.get(newName()))].map(errorOf)
    await expect.poll(() => proxy.seen().length).toBe(2)
    closing.close()
    for (const error of await Promise.all(ends)) expect(error).toBeInstanceOf(Error)
    expect(proxy.seen()).toHaveLength(2)
  })
})
