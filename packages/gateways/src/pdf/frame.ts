// How parent and child speak: four bytes of header length, four of body length, the header as JSON, the body as it is.

import type { Readable, Writable } from "node:stream"

export type Frame = { readonly header: unknown; readonly body: Uint8Array }

/** A page as a picture, or the picture of a signature. A document never goes through here. */
const MAX_FRAME_BYTES = 64_000_000

export function writeFrame(
  to: Writable,
  header: unknown,
  body: Uint8Array = new Uint8Array(),
  written?: () => void,
): void {
  const json = Buffer.from(JSON.stringify(header, bytesAndDates))
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32BE(json.length, 0)
  lengths.writeUInt32BE(body.length, 4)
  to.write(Buffer.concat([lengths, json]))
  to.write(body, () => written?.())
}

/** Calls back for each whole frame. A larger one than allowed is an error: the other side is not trusted. */
export function readFrames(from: Readable, onFrame: (frame: Frame) => void): void {
  let stage: "lengths" | "header" | "body" = "lengths"
  let gathered = new Uint8Array(8)
  let filled = 0
  let bodyLength = 0
  let header: unknown
  const expect = (next: typeof stage, length: number) => {
    stage = next
    gathered = new Uint8Array(length)
    filled = 0
  }
  const advance = () => {
    const view = Buffer.from(gathered.buffer)
    if (stage === "lengths") {
      bodyLength = view.readUInt32BE(4)
      if (view.readUInt32BE(0) + bodyLength > MAX_FRAME_BYTES)
        throw new Error("A frame is larger than allowed.")
      expect("header", view.readUInt32BE(0))
    } else if (stage === "header") {
      header = JSON.parse(view.toString(), bytesAndDatesBack)
      expect("body", bodyLength)
    } else {
      const body = gathered
      expect("lengths", 8)
      onFrame({ header, body })
    }
  }
  from.on("data", (piece: Buffer) => {
    try {
      for (let at = 0; at < piece.length; ) {
        const part = piece.subarray(at, at + gathered.length - filled)
        gathered.set(part, filled)
        filled += part.length
        at += part.length
        while (filled === gathered.length) advance()
      }
    } catch (cause) {
      from.destroy(new Error("The other side broke the frames.", { cause }))
    }
  })
}

function bytesAndDates(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const original = this[key]
  if (original instanceof Uint8Array) return { $bytes: Buffer.from(original).toString("base64") }
  if (original instanceof Date) return { $date: original.toISOString() }
  return value
}

function bytesAndDatesBack(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  if ("$bytes" in value && typeof value.$bytes === "string")
    return new Uint8Array(Buffer.from(value.$bytes, "base64"))
  if ("$date" in value && typeof value.$date === "string") return new Date(value.$date)
  return value
}
