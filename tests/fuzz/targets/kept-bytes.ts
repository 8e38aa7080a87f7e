// Octets that come back from where we put them: a bucket that is not ours, a process that is not trusted, a picture that was cleaned.
// Nothing but what was put there is ever taken out.

import { createCipheriv, createHash } from "node:crypto"
import { Readable } from "node:stream"
import { isDeepStrictEqual } from "node:util"
import { ImageRefused } from "@paraph/pades/image-refused"
import { readPng, writePng } from "@paraph/pades/png"
import { SealBroken } from "@paraph/seal/broken"
import { unwrapKey } from "@paraph/seal/wrap"
import { type Frame, readFrames, writeFrame } from "../../../packages/gateways/src/pdf/frame.ts"
import { layoutOf } from "../../../packages/seal/src/layout.ts"
import { openRange, sealedRange } from "../../../packages/seal/src/range.ts"
import { open, seal } from "../../../packages/seal/src/stream.ts"
import { must, same, type Target } from "../target.ts"
import { Nothing } from "../texts.ts"

const LAYOUT = layoutOf(32)
const PLAIN = Buffer.from(
  "What somebody has uploaded, and some words more than fill three segments of the layout that is tried here.",
)
const newKey = () => createHash("sha256").update("a key").digest()

async function gathered(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = []
  // What is yielded shares a memory with what comes next.
  for await (const piece of pieces) parts.push(Buffer.from(piece))
  return Buffer.concat(parts)
}

async function* cutBy(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const SEALED = await gathered(seal(newKey(), "documents/1", cutBy(PLAIN, 7), LAYOUT))

export const sealedBytes: Target = {
  name: "sealed-bytes",
  kind: "bytes",
  seeds: () => [new Uint8Array(SEALED), SEALED.subarray(0, 50), new Uint8Array(33)],
  refusals: [SealBroken],
  run: async (input) => {
    // Any range whose octets were left as they are can still be read.
    for (const [start, end] of [
      [0, 5],
      [40, 70],
      [70, PLAIN.length],
    ] as const) {
      const { from, to } = sealedRange(PLAIN.length, start, end, LAYOUT)
      const part = openRange(
        newKey(),
        "documents/1",
        PLAIN.length,
        start,
        end,
        cutBy(input.subarray(from, to), 9),
        LAYOUT,
      )
      const read = await gathered(part).catch(broken)
      const isWhole = same(input.subarray(from, to), SEALED.subarray(from, to))
      must((read !== null) === isWhole, "a range opens where its octets are the sealed ones, and only there")
      if (read !== null) must(same(read, PLAIN.subarray(start, end)), "and gives the plain ones")
    }
    const whole = await gathered(open(newKey(), "documents/1", cutBy(input, 11), LAYOUT))
    must(same(input, SEALED) && same(whole, PLAIN), "only what was sealed opens")
    return "opened"
  },
}

function broken(error: unknown): null {
  if (error instanceof SealBroken) return null
  throw error
}

/** As `wrapKey` writes it, which draws its nonce: here it is the same in every run. */
function wrappedOnce(): Buffer {
  const nonce = Buffer.alloc(12, 1)
  const cipher = createCipheriv("aes-256-gcm", Buffer.alloc(32, 7), nonce).setAAD(Buffer.from("business 1"))
  return Buffer.concat([nonce, cipher.update(Buffer.alloc(32, 9)), cipher.final(), cipher.getAuthTag()])
}

const WRAPPED = wrappedOnce()

export const wrappedKeys: Target = {
  name: "wrapped-key",
  kind: "bytes",
  seeds: () => [new Uint8Array(WRAPPED), WRAPPED.subarray(0, 28), new Uint8Array(60)],
  refusals: [SealBroken],
  run: (input) => {
    const key = unwrapKey(Buffer.alloc(32, 7), input, "business 1")
    must(same(input, WRAPPED) && same(key, Buffer.alloc(32, 9)), "only what was wrapped is unwrapped")
    return "unwrapped"
  },
}

const FRAME = {
  type: "done",
  bytes: Uint8Array.of(1, 2, 3),
  at: new Date("2026-11-15T12:00:00Z"),
  list: [null, "x"],
}

function framed(header: unknown, body: Uint8Array): Buffer {
  const parts: Buffer[] = []
  const to = { write: (piece: Uint8Array) => parts.push(Buffer.from(piece)) > 0 }
  writeFrame(to as never, header, body)
  return Buffer.concat(parts)
}

/** All frames of a stream that is cut so; null where it was broken. */
function framesIn(input: Uint8Array, size: number): readonly Frame[] | null {
  const frames: Frame[] = []
  const from = new Readable({ read: () => undefined })
  from.on("error", () => undefined)
  readFrames(from, (frame) => frames.push(frame))
  for (let at = 0; at < input.length && !from.destroyed; at += size)
    from.emit("data", Buffer.from(input.subarray(at, at + size)))
  return from.destroyed ? null : frames
}

export const childFrames: Target = {
  name: "child-frame",
  kind: "bytes",
  seeds: () => [
    framed(FRAME, Buffer.from("body")),
    Buffer.concat([framed({ a: 1 }, new Uint8Array()), framed([], Buffer.alloc(40, 3))]),
    framed({ $bytes: "AAAA", $date: 5 }, new Uint8Array()),
  ],
  refusals: [Nothing],
  run: (input) => {
    const frames = framesIn(input, input.length)
    for (const size of [1, 7]) {
      const cut = framesIn(input, size)
      must((cut === null) === (frames === null), "whether they are frames does not depend on the pieces")
      must(cut === null || isDeepStrictEqual(cut, frames), "nor what is in them")
    }
    if (frames === null || frames.length === 0) throw new Nothing(frames === null ? "broken" : "none yet")
    const used = frames.reduce((sum, { body }) => sum + body.length, 0)
    must(used <= input.length, "no octet comes from elsewhere")
    return `${Math.min(3, frames.length)} ${typeof frames[0]?.header}`
  },
}

export const cleanedPictures: Target = {
  name: "cleaned-picture",
  kind: "bytes",
  seeds: () => [
    writePng({ width: 2, height: 2, rgb: Uint8Array.from({ length: 12 }, (_, i) => 20 * i) }),
    writePng({ width: 1, height: 3, rgb: new Uint8Array(9) }),
    writePng({ width: 300, height: 1, rgb: new Uint8Array(900).fill(200) }),
  ],
  refusals: [ImageRefused],
  run: (input) => {
    const { width, height, rgb } = readPng(input)
    must(same(writePng({ width, height, rgb }), input), "there is one way to write a picture")
    must(rgb.length === 3 * width * height && width * height <= 4_000_000, "it is bounded")
    return `${Math.min(4, width)} ${Math.min(4, height)}`
  },
}
