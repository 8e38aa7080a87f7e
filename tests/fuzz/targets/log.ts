// The texts of transparency logs, as witnesses, auditors and other people's tools write them (C2SP signed-note, tlog-checkpoint,
// tlog-proof, tlog-tiles, tlog-witness): there is one way to write each, and only what was signed or logged is believed.

import { createPrivateKey, createPublicKey, sign } from "node:crypto"
import { openCheckpoint, signCheckpoint } from "@paraph/tlog/checkpoint"
import { cosign } from "@paraph/tlog/cosignature"
import { readEntryBundle, writeEntryBundle } from "@paraph/tlog/entry-bundle"
import { leafHash } from "@paraph/tlog/hash"
import { readNote, writeNote, writeSignatureLine } from "@paraph/tlog/note"
import { type NoteKey, readVerifierKey, writeVerifierKey } from "@paraph/tlog/note-key"
import { proveInclusion } from "@paraph/tlog/prove"
import { TlogRefused } from "@paraph/tlog/refused"
import { entriesPath, hashesOf, readTilePath, TILE_WIDTH, tilePath } from "@paraph/tlog/tile"
import { readTlogProof, writeTlogProof } from "@paraph/tlog/tlog-proof"
import { openTree } from "@paraph/tlog/tree"
import { verifyInclusion } from "@paraph/tlog/verify-proof"
import { readCosignatures, readKnownSize } from "@paraph/tlog/witness"
import { entryOf, MemoryLog } from "../../../packages/tlog/src/testing/memory-log.ts"
import { must, same, type Target } from "../target.ts"
import { inText, Nothing, texts } from "../texts.ts"

const keyOf = (octet: number) =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, octet)]),
    format: "der",
    type: "pkcs8",
  })
const signer = (octet: number) => async (bytes: Uint8Array) => sign(null, bytes, keyOf(octet))
const publicOf = (octet: number) =>
  createPublicKey(keyOf(octet)).export({ format: "der", type: "spki" }).subarray(-32)

const LOG: NoteKey = { name: "sign.example/log/demo", type: "ed25519", publicKey: publicOf(1) }
const WITNESS: NoteKey = { name: "witness.example", type: "cosignature", publicKey: publicOf(2) }
const SIZE = 300

const log = new MemoryLog()
await log.add(SIZE)
const HEAD = await signCheckpoint(LOG, { size: SIZE, root: log.root }, signer(1))
const TEXT = readNote(Buffer.from(HEAD)).text
const SEEN = await cosign(WITNESS, TEXT, new Date("2026-11-16T12:00:00Z"), signer(2))
const WITNESSED = writeNote({ text: TEXT, signatures: [...readNote(Buffer.from(HEAD)).signatures, SEEN] })

const WORDS = [
  "— ",
  "\n\n",
  "\n",
  LOG.name,
  WITNESS.name,
  "=",
  "AAAA",
  "+",
  String(SIZE),
  "0",
  "index ",
  "old ",
]

export const checkpoints: Target = {
  name: "checkpoint",
  kind: "words",
  words: WORDS,
  seeds: () => texts(HEAD, WITNESSED, `${TEXT}\n${writeSignatureLine(SEEN)}`, TEXT),
  refusals: [TlogRefused, Nothing],
  run: (input) => {
    const note = readNote(input)
    must(same(Buffer.from(writeNote(note)), input), "there is one way to write a note")
    const opened = openCheckpoint(input, LOG, [WITNESS])
    if (opened === undefined) throw new Nothing("not signed by the log")
    must(note.text === TEXT && opened.size === SIZE, "only the head that was signed is believed")
    must(same(opened.root, log.root) && opened.origin === LOG.name, "of this log")
    for (const { at } of opened.witnesses)
      must(at?.toISOString() === "2026-11-16T12:00:00.000Z", "seen when it was")
    return `${opened.witnesses.length} ${Math.min(4, note.signatures.length)}`
  },
}

export const verifierKeys: Target = {
  name: "verifier-key",
  kind: "words",
  words: [...WORDS, "AQ", "BA", "c2sp.org"],
  seeds: () => texts(writeVerifierKey(LOG), writeVerifierKey(WITNESS), "a+00000000+AQ=="),
  refusals: [TlogRefused],
  run: (input) => {
    const told = inText(input)
    const key = readVerifierKey(told)
    must(writeVerifierKey(key) === told, "there is one way to write a key")
    must(
      key.publicKey.length === 32 && !/[\s+]/u.test(key.name) && key.name !== "",
      "it has a name and 32 octets",
    )
    return key.type
  },
}

const INDEX = 123
const PATH = await proveInclusion(openTree(SIZE, log.readTile), INDEX)
const LEAF = leafHash(entryOf(INDEX))

export const logProofs: Target = {
  name: "log-proof",
  kind: "words",
  words: [
    ...WORDS,
    "c2sp.org/tlog-proof@v1",
    "index 123\n",
    PATH.map((hash) => Buffer.from(hash).toString("base64"))[0] ?? "",
  ],
  seeds: () =>
    texts(
      writeTlogProof({ index: INDEX, path: PATH, checkpoint: HEAD }),
      "c2sp.org/tlog-proof@v1\nindex 0\n\n",
    ),
  refusals: [TlogRefused],
  run: (input) => {
    const text = inText(input)
    const proof = readTlogProof(text)
    must(writeTlogProof(proof) === text, "there is one way to write a proof")
    must(Number.isSafeInteger(proof.index) && proof.index >= 0 && proof.path.length <= 63, "it is bounded")
    const holds = verifyInclusion(
      { hash: LEAF, index: proof.index },
      { size: SIZE, root: log.root },
      proof.path,
    )
    if (holds) must(proof.index === INDEX, "an entry has one place")
    if (holds)
      must(
        proof.path.every((hash, i) => same(hash, PATH[i] ?? new Uint8Array())),
        "and one way to the root",
      )
    return `${holds} ${Math.min(10, proof.path.length)}`
  },
}

export const tilePaths: Target = {
  name: "tile-path",
  kind: "words",
  words: ["tile/", "entries/", "x000/", "x123/", "/", ".p/", "256", "255", "0", "63", "64", "999", "1"],
  seeds: () =>
    texts("tile/0/000", "tile/0/x001/234.p/5", "tile/entries/x012/x345/678", "tile/63/001.p/255", "tile/1/0"),
  refusals: [Nothing],
  run: (input) => {
    const path = inText(input)
    const tile = readTilePath(path)
    if (tile === undefined) throw new Nothing("no path")
    must((tile.entries ? entriesPath(tile) : tilePath(tile)) === path, "there is one way to write a path")
    must(tile.width >= 1 && tile.width <= TILE_WIDTH, "a tile has 1 to 256 hashes")
    must(tile.level <= 63 && Number.isSafeInteger(tile.n), "it lies in a tree that can be")
    return `${tile.entries} ${Math.min(9, tile.level)} ${tile.width === TILE_WIDTH}`
  },
}

export const entryBundles: Target = {
  name: "entry-bundle",
  kind: "bytes",
  seeds: () => [
    writeEntryBundle([entryOf(1), new Uint8Array(), entryOf(2)]),
    writeEntryBundle([Buffer.alloc(70, 1)]),
    ...texts("\0", "\0\0"),
  ],
  refusals: [TlogRefused],
  run: (input) => {
    const entries = readEntryBundle(input)
    must(same(writeEntryBundle(entries), input), "what is read is all of it, and in order")
    if (input.length % 32 === 0 && input.length > 0) {
      const width = input.length / 32
      const hashes = hashesOf(input, { level: 0, n: 0, width })
      must(same(Buffer.concat(hashes), input), "a tile is its hashes side by side")
    }
    return `${Math.min(5, entries.length)}`
  },
}

export const witnessAnswers: Target = {
  name: "witness-answer",
  kind: "words",
  words: WORDS,
  seeds: () =>
    texts(writeSignatureLine(SEEN), writeSignatureLine(SEEN).repeat(20), `${SIZE}\n`, "0\n", "007\n", "\n"),
  refusals: [TlogRefused],
  run: (input) => {
    const body = inText(input)
    if (/^\d/.test(body)) {
      const size = readKnownSize(body)
      must(`${size}\n` === body, "there is one way to write a size")
      return "size"
    }
    const lines = readCosignatures(body)
    must(lines.map(writeSignatureLine).join("") === body, "there is one way to write signatures")
    must(lines.length <= 20, "they are bounded")
    return `${Math.min(4, lines.length)}`
  },
}
