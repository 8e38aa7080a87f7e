// A document time-stamp that hashes other bytes than it should: the token is genuine and over exactly the bytes that its
// /ByteRange names, wherever these begin and end.

import { createHash } from "node:crypto"
import { readTimestampResponse, timestampRequest } from "@paraph/pki/timestamp"
import type { SigningWorld } from "./signing-world.ts"

export type Range = readonly [start: number, length: number, start2: number, length2: number]

/** Changes the newest time-stamp of a file that ends with one. `change` gets the right range. */
export async function restamp(
  file: Uint8Array,
  world: SigningWorld,
  at: Date,
  change: (right: Range) => Range,
): Promise<Uint8Array> {
  const bytes = Buffer.from(file)
  const place = bytes.lastIndexOf("/ByteRange [")
  const close = bytes.indexOf("]", place)
  const hole = bytes.indexOf("/Contents <", bytes.lastIndexOf("/DocTimeStamp")) + "/Contents ".length
  const end = bytes.indexOf(">", hole) + 1
  const range = change([0, hole, end, bytes.length - end])
  const text = `/ByteRange [${range.join(" ")}`
  if (place + text.length > close) throw new RangeError("The range does not fit into its placeholder.")
  bytes.write(text.padEnd(close - place), place, "latin1")
  const [start, length, start2, length2] = range
  const digest = createHash("sha256")
    .update(bytes.subarray(start, start + length))
    .update(bytes.subarray(start2, start2 + length2))
    .digest()
  const request = timestampRequest({ digest, digestAlgorithm: "sha256", nonce: 1n })
  const response = readTimestampResponse(await world.stamp(request, at))
  if (response.status !== "granted") throw new Error("The time-stamp was not granted.")
  bytes.write(
    Buffer.from(response.token)
      .toString("hex")
      .padEnd(end - hole - 2, "0"),
    hole + 1,
    "latin1",
  )
  return new Uint8Array(bytes)
}
