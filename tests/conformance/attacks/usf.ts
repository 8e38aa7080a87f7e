// Universal signature forgery: what a verifier needs to know of the signature is missing, empty or of a wrong kind, and a
// verifier that gives up too early says that nothing is wrong.

import { append, changed } from "./revision.ts"
import type { SignedBase } from "./signed.ts"
import type { Technique } from "./technique.ts"

const RANGES: readonly (readonly [string, string | null])[] = [
  ["missing", null],
  ["null", "null"],
  ["empty", "[]"],
  ["of zeros", "[0 0 0 0]"],
  ["negative", "[0 -1 -1 -1]"],
  ["of one number", "[0]"],
  ["of two numbers", "[0 9]"],
  ["of three numbers", "[0 9 10]"],
  ["a string", "(0 9 10 9)"],
  ["a name", "/All"],
  ["true", "true"],
  ["of fractions", "[0 .5 .6 9]"],
  ["of nulls", "[null null]"],
  ["of strings", "[(0)(1)(2)]"],
  ["beyond every file", "[0 9 99999999999 9]"],
  ["a dictionary", "<< /0 1 >>"],
  ["turned round", "[9 0 9 0]"],
]

const CONTENTS: readonly (readonly [string, string | null])[] = [
  ["missing", null],
  ["null", "null"],
  ["empty", "<>"],
  ["one zero", "<00>"],
  ["zeros", `<${"00".repeat(64)}>`],
  ["an empty literal string", "()"],
  ["a number", "0"],
  ["a name", "/Signed"],
  ["an array", "[<30>]"],
  ["a dictionary", "<< /Valid true >>"],
  ["true", "true"],
  ["an empty sequence", "<3000>"],
  ["half a sequence", "<3082>"],
  ["no hexadecimal", "<zz>"],
]

const OTHERS: readonly (readonly [string, Readonly<Record<string, string | null>>])[] = [
  ["no SubFilter", { SubFilter: null }],
  ["an unknown SubFilter", { SubFilter: "/ETSI.Nothing" }],
  ["SubFilter of raw keys without a certificate", { SubFilter: "/adbe.x509.rsa_sha1" }],
  ["a type of its own", { Type: "/Sign" }],
  ["neither range nor contents", { ByteRange: null, Contents: null }],
  ["both null", { ByteRange: "null", Contents: "null" }],
]

export const usf: readonly Technique[] = [
  ...RANGES.flatMap(([what, value]) => both(`byte range ${what}`, "ByteRange", value)),
  ...CONTENTS.flatMap(([what, value]) => both(`contents ${what}`, "Contents", value)),
  ...OTHERS.map(([what, entries]) => later(what, entries)),
]

function later(what: string, entries: Readonly<Record<string, string | null>>): Technique {
  return {
    class: "USF",
    name: `${what}, by a later revision`,
    expected: "failed",
    on: ({ name }) => ["table B-B P=none ×1", "stream B-LTA P=2 ×1 seen"].includes(name),
    make: (base) => {
      const { object } = base.signature
      return append(base, { objects: [[object, changed(base, object, entries)]] })
    },
  }
}

function both(what: string, key: "ByteRange" | "Contents", value: string | null): Technique[] {
  const inPlace: Technique = {
    class: "USF",
    name: `${what}, in place`,
    expected: "failed",
    on: ({ name }) => ["table B-B P=none ×1", "stream B-B P=1 ×1"].includes(name),
    make: (base) => overwritten(base, key, value),
  }
  return [inPlace, later(what, { [key]: value })]
}

/** As long as before, so that no other object moves. */
function overwritten(
  { bytes, signature }: SignedBase,
  key: "ByteRange" | "Contents",
  value: string | null,
): Buffer {
  const [, holeStart, holeEnd] = signature.range
  const start = bytes.lastIndexOf(`/${key}`, holeStart)
  const end = key === "Contents" ? holeEnd : bytes.indexOf("]", start) + 1
  const put = value === null ? "" : `/${key} ${value}`
  const changedBytes = Buffer.from(bytes)
  changedBytes.write(put.padEnd(end - start), start, "latin1")
  return changedBytes
}
