// The reader of DER and the one of BER: whatever is accepted is written again as the very same bytes.

import {
  DerError,
  type DerNode,
  readBits,
  readBoolean,
  readDer,
  readInteger,
  readOid,
  readTime,
  TAG,
} from "@paraph/pki/der"
import {
  bitString,
  boolean,
  integer,
  nullValue,
  octetString,
  oid,
  sequence,
  setOf,
  utf8String,
  writeTagged,
} from "@paraph/pki/der-writer"
import { readSignedData } from "@paraph/pki/signed-data"
import { readLax, writeLax } from "../mutate-der.ts"
import { sampleMarks, sampleWorld } from "../sample-pki.ts"
import { must, same, type Target } from "../target.ts"

export const der: Target = {
  name: "der",
  kind: "der",
  seeds: () => [
    EVERY_TYPE,
    sequence(),
    integer(-1n << 70n),
    setOf(oid("2.999.3"), nullValue(), boolean(true)),
  ],
  refusals: [DerError],
  run: (input) => {
    const node = readDer(input)
    must(same(rewrite(node), input), "what is read as DER and written again is the same")
    must(same(reread(input), input), "another reader, written canonically, gives the same")
    return walk(node)
  },
}

const EVERY_TYPE = sequence(
  boolean(false),
  integer(255),
  bitString(Uint8Array.of(0xf0), 4),
  bitString(Uint8Array.of(1, 2)),
  octetString(sequence(nullValue())),
  oid("1.2.840.113549.1.7.2"),
  utf8String("Zoë"),
  writeTagged(TAG.utcTime, Buffer.from("261115050000Z")),
  writeTagged(TAG.generalizedTime, Buffer.from("20501115050000Z")),
  writeTagged(0xa0, octetString(new Uint8Array(200))),
  writeTagged(0x81, Uint8Array.of(5)),
)

function rewrite({ tag, content, children }: DerNode): Uint8Array {
  return (tag & 0x20) === 0 ? writeTagged(tag, content) : writeTagged(tag, ...children.map(rewrite))
}

function reread(input: Uint8Array): Uint8Array {
  const lax = readLax(input, true)
  return lax === undefined ? new Uint8Array() : writeLax(lax)
}

/** Reads every value by its type; each type has one encoding for one value. */
function walk(node: DerNode): string {
  const { tag } = node
  const read = READERS[tag]
  let way = ""
  if (read !== undefined) {
    try {
      const again = read(node)
      must(again === undefined || same(again, node.bytes), `a value of type ${tag} has one encoding`)
    } catch (error) {
      if (!(error instanceof DerError)) throw error
      way = `${tag} ${error.message}`
    }
  }
  return [way, ...node.children.map(walk)].find((one) => one !== "") ?? ""
}

const READERS: Readonly<Record<number, (node: DerNode) => Uint8Array | undefined>> = {
  [TAG.boolean]: (node) => boolean(readBoolean(node, "value")),
  [TAG.integer]: (node) => integer(readInteger(node, "value")),
  [TAG.oid]: (node) => oid(readOid(node, "value")),
  [TAG.bitString]: (node) => bitString(readBits(node, "value")),
  [TAG.utcTime]: (node) => writeTagged(TAG.utcTime, Buffer.from(digits(readTime(node, "value")).slice(2))),
  [TAG.generalizedTime]: (node) =>
    writeTagged(TAG.generalizedTime, Buffer.from(digits(readTime(node, "value")))),
}

function digits(time: Date): string {
  return `${time.toISOString().replace(/[-:T]|\.\d+Z$/g, "")}Z`
}

// BER is met inside of a CMS, as what stands where its certificates do; they are given back as DER.
export const ber: Target = {
  name: "ber",
  kind: "der",
  seeds: async () => [INDEFINITE, EVERY_TYPE, ...(await sampleMarks(await sampleWorld()))],
  refusals: [DerError],
  run: (input) => {
    const whole = around(input)
    const { certificates, encoding, der: definite } = readSignedData(whole)
    must((encoding === "DER") === same(definite, whole), "DER stays as it is, and only DER is called so")
    must(same(rewrite(readDer(definite, LIMITS)), definite), "BER becomes DER")
    const again = readSignedData(definite)
    must(again.encoding === "DER", "what became DER is DER")
    must(same(Buffer.concat(again.certificates), Buffer.concat(certificates)), "and means the same")
    const padded = readSignedData(Buffer.concat([whole, new Uint8Array(3)]), { zeroPadded: true })
    must(same(padded.der, definite), "zeros behind change nothing")
    return encoding
  },
}

const LIMITS = { maxDepth: 100, maxNodes: 300_000 }

function around(value: Uint8Array): Uint8Array {
  const content = sequence(oid("1.2.840.113549.1.7.1"))
  const body = sequence(integer(1), setOf(), content, writeTagged(0xa0, value), setOf())
  return sequence(oid("1.2.840.113549.1.7.2"), writeTagged(0xa0, body))
}

const INDEFINITE = Buffer.from(
  "30800201 05 2480 040161 040162 0000 a080 0500 0000 0000".replaceAll(" ", ""),
  "hex",
)
