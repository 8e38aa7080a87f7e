import { generateKeyPairSync, sign } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  openCheckpoint,
  readCheckpoint,
  signCheckpoint,
  withSignatures,
  writeCheckpoint,
} from "./checkpoint.ts"
import { cosign } from "./cosignature.ts"
import { readNote, writeNote } from "./note.ts"
import { type NoteKey, readVerifierKey, signersOf, writeVerifierKey } from "./note-key.ts"
import { TlogRefused } from "./refused.ts"
import { readTlogProof, writeTlogProof } from "./tlog-proof.ts"
import { readCosignatures, readKnownSize, writeAddCheckpoint } from "./witness.ts"

// From the specification of the Go checksum database's notes, whose key everybody has.
const PETER_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
const PETER_NOTE = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`

const newKey = (name: string, type: NoteKey["type"]) => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32)
  const key: NoteKey = { name, type, publicKey: raw }
  return { key, sign: async (message: Uint8Array) => sign(null, message, privateKey) }
}
const log = newKey("example.org/log", "ed25519")
const witness = newKey("witness.example/w1", "cosignature")
const HEAD = { size: 12, root: Buffer.alloc(32, 7) }
const bytesOf = (text: string) => Buffer.from(text, "utf8")

describe("a signed note", () => {
  it("of somebody else is read and verified, and written as it was", () => {
    const key = readVerifierKey(PETER_KEY)
    expect(writeVerifierKey(key)).toBe(PETER_KEY)
    const note = readNote(bytesOf(PETER_NOTE))
    expect(signersOf(note, [key])).toEqual([{ key }])
    expect(writeNote(note)).toBe(PETER_NOTE)
    const changed = readNote(bytesOf(PETER_NOTE.replace("your problem is", "my problem is")))
    expect(signersOf(changed, [key])).toBe("wrong")
    expect(signersOf(changed, [log.key])).toEqual([])
  })

  it("is refused where it is not written as one", () => {
    const [text = "", line = ""] = PETER_NOTE.split("\n\n")
    for (const told of [
      "",
      "text\n",
      `${text}\n\n`,
      `${text}\n\n${line.trimEnd()}`,
      `${text}\n\n${line.replace("—", "-")}`,
      `${text}\n\n${line.replace(" x08", "  x08")}`,
      `${text}\n\n${line.replace("AM=\n", "AN=\n")}`,
      `${text}\n\n— a+b AAAAAAAA\n`,
      `${text}\n\n— a AAAAAA==\n`,
      `${text}\u0000\n\n${line}`,
      `${text}\r\n\n${line}`,
    ])
      expect(() => readNote(bytesOf(told)), told).toThrow(TlogRefused)
    expect(() => readNote(Uint8Array.of(0xff, 0x0a, 0x0a))).toThrow(TlogRefused)
    expect(() => readNote(Buffer.alloc(1_000_001, "a"))).toThrow(TlogRefused)
    expect(() => readNote(bytesOf(`text\n\n${line.repeat(101)}`))).toThrow(TlogRefused)
  })

  it("is never more than refused, whatever it says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(), (told, place) => {
        const spoilt = PETER_NOTE.slice(0, place % PETER_NOTE.length) + told + PETER_NOTE.slice(place % 97)
        try {
          readNote(bytesOf(spoilt))
        } catch (error) {
          expect(error).toBeInstanceOf(TlogRefused)
        }
      }),
    )
  })

  it("knows a key by its name and its id together", () => {
    const note = readNote(bytesOf(PETER_NOTE))
    const key = readVerifierKey(PETER_KEY)
    expect(signersOf(note, [{ ...key, name: "Peter" }])).toEqual([])
    expect(signersOf(note, [{ ...key, type: "cosignature" }])).toEqual([])
    expect(() => readVerifierKey(PETER_KEY.replace("c74f", "c74e"))).toThrow(TlogRefused)
    expect(() => readVerifierKey(PETER_KEY.replace("+ARpc", "+BRpc"))).toThrow(TlogRefused)
    expect(() => readVerifierKey("name")).toThrow(TlogRefused)
  })
})

describe("a checkpoint", () => {
  it("is opened where the log signed it, with whoever else has seen it", async () => {
    const signed = await signCheckpoint(log.key, HEAD, log.sign)
    const at = new Date("2026-11-16T12:00:00Z")
    const { note } = openCheckpoint(bytesOf(signed), log.key) ?? {}
    if (note === undefined) throw new Error("It was not opened.")
    const seen = withSignatures(note, [await cosign(witness.key, note.text, at, witness.sign)])
    expect(openCheckpoint(bytesOf(seen), log.key, [witness.key])).toMatchObject({
      origin: "example.org/log",
      size: 12,
      root: HEAD.root,
      witnesses: [{ key: witness.key, at }],
    })
    expect(openCheckpoint(bytesOf(seen), log.key)?.witnesses).toEqual([])
  })

  it("is none of ours where another log signed it, or nobody did, or a witness of ours did not sign this", async () => {
    const signed = await signCheckpoint(log.key, HEAD, log.sign)
    const other = newKey("example.org/log", "ed25519")
    expect(openCheckpoint(bytesOf(signed), other.key)).toBeUndefined()
    const elsewhere = await signCheckpoint(newKey("example.net/log", "ed25519").key, HEAD, log.sign)
    expect(openCheckpoint(bytesOf(elsewhere), log.key)).toBeUndefined()
    expect(openCheckpoint(bytesOf(signed.replace("\n12\n", "\n13\n")), log.key)).toBeUndefined()
    const note = readNote(bytesOf(signed))
    const wrong = await cosign(witness.key, "another text\n", new Date(0), witness.sign)
    expect(openCheckpoint(bytesOf(withSignatures(note, [wrong])), log.key, [witness.key])).toBeUndefined()
    const onlySeen = writeNote({
      text: note.text,
      signatures: [await cosign(witness.key, note.text, new Date(0), witness.sign)],
    })
    expect(openCheckpoint(bytesOf(onlySeen), log.key, [witness.key])).toBeUndefined()
  })

  it("is read as it is written, and in no other way", () => {
    const text = writeCheckpoint({ origin: "example.org/log", ...HEAD })
    expect(readCheckpoint(text)).toEqual({ origin: "example.org/log", ...HEAD })
    for (const told of [
      text.replace("\n12\n", "\n012\n"),
      text.replace("\n12\n", "\n-1\n"),
      text.replace("\n12\n", `\n${2 ** 53}\n`),
      text.replace("=\n", "\n"),
      `${text}more\n`,
      text.slice(0, -1),
      `\n12\n${"A".repeat(43)}=\n`,
      "",
    ])
      expect(() => readCheckpoint(told), told).toThrow(TlogRefused)
    expect(() => writeCheckpoint({ origin: "a\n9", ...HEAD })).toThrow(TlogRefused)
  })
})

describe("a proof in one text", () => {
  it("is read back", () => {
    const hashes = fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 63 })
    fc.assert(
      fc.property(fc.maxSafeNat(), hashes, (index, path) => {
        const told = writeTlogProof({ index, path, checkpoint: PETER_NOTE })
        const read = readTlogProof(told)
        expect({ ...read, path: read.path.map((hash) => Uint8Array.from(hash)) }).toEqual({
          index,
          path,
          checkpoint: PETER_NOTE,
        })
      }),
    )
  })

  it("is refused where it says more, or not what it should", () => {
    const told = writeTlogProof({ index: 3, path: [Buffer.alloc(32)], checkpoint: "c\n" })
    for (const wrong of [
      told.replace("@v1", "@v2"),
      told.replace("index 3", "index 03"),
      told.replace("index", "extra AA==\nindex"),
      told.replace("AAA=", "AA=="),
      "",
      "\n\n",
    ])
      expect(() => readTlogProof(wrong), wrong).toThrow(TlogRefused)
  })
})

describe("a witness", () => {
  it("is asked as the specification has it, and its answers are read", async () => {
    const asked = writeAddCheckpoint({ older: 7, proof: [Buffer.alloc(32)], checkpoint: "c\n" })
    expect(asked).toBe(`old 7\n${"A".repeat(43)}=\n\nc\n`)
    const { keyId } = await cosign(witness.key, "c\n", new Date(0), witness.sign)
    const line = `— ${witness.key.name} ${Buffer.concat([keyId, Buffer.alloc(72)]).toString("base64")}\n`
    expect(readCosignatures(line + line)).toHaveLength(2)
    expect(readKnownSize("20852014\n")).toBe(20_852_014)
    for (const wrong of ["", "\n", "a\n", line.repeat(21), line.trimEnd()])
      expect(() => readCosignatures(wrong)).toThrow(TlogRefused)
    for (const wrong of ["", "07\n", "7", "-7\n", "99999999999999999\n"])
      expect(() => readKnownSize(wrong)).toThrow(TlogRefused)
  })
})
