// The page that verifies without a server has cryptography and inflating of its own: the very same answers as Node's are wanted, of
// whatever comes. seeds/signed-*.der are a key and a signature each, made once.

import * as node from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { deflateSync, inflateSync as nodeInflate } from "node:zlib"
import { DerError, readDer } from "@paraph/pki/der"
import * as page from "../../../apps/verify/src/platform/crypto.ts"
import { inflateSync } from "../../../apps/verify/src/platform/zlib.ts"
import { must, same, type Target } from "../target.ts"
import { Nothing, texts } from "../texts.ts"

const FOLDER = new URL("../seeds/", import.meta.url)
const MESSAGE = Buffer.from("What is signed.")
const PSS = { padding: node.constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }

export const pageSignatures: Target = {
  name: "page-signature",
  kind: "der",
  seeds: () =>
    readdirSync(FOLDER)
      .filter((name) => name.startsWith("signed-"))
      .sort()
      .map((name) => new Uint8Array(readFileSync(new URL(name, FOLDER)))),
  refusals: [DerError, Nothing],
  run: (input) => {
    const [spki, value] = readDer(input).children
    if (spki === undefined || value === undefined) throw new Nothing("no key and value")
    const theirs = keyOf(() =>
      node.createPublicKey({ key: Buffer.from(spki.bytes), format: "der", type: "spki" }),
    )
    const ours = keyOf(() => page.createPublicKey({ key: spki.bytes }))
    if (ours === null) throw new Nothing(`not read, by Node ${theirs !== null}`)
    const ways = ours.asymmetricKeyType === "rsa" ? [{}, PSS] : [{}]
    const answers = ways.map((options) => {
      const digest = ours.asymmetricKeyType === "ed25519" ? null : "sha256"
      const said = answer(() => page.verify(digest, MESSAGE, { key: ours, ...options }, value.content))
      const right =
        theirs !== null &&
        answer(() => node.verify(digest, MESSAGE, { key: theirs, ...options }, value.content))
      must(!said || theirs !== null, "what Node reads as no key verifies nothing")
      must(!said || right, "the page takes no signature that Node refuses")
      // Node reads some keys that are not written in DER; whoever has such a one is told that it cannot be read.
      must(!right || said, "nor refuses one that Node takes")
      return said
    })
    if (!answers.includes(true)) throw new Nothing(`${ours.asymmetricKeyType} does not verify`)
    return `${ours.asymmetricKeyType} ${answers.join()}`
  },
}

function keyOf<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

function answer(verify: () => boolean): boolean {
  try {
    return verify()
  } catch {
    return false
  }
}

const MOST = 5_000

export const pageInflating: Target = {
  name: "page-inflate",
  kind: "bytes",
  seeds: () => [
    ...texts("", "a", "What is signed. What is signed. What is signed.").map((bytes) => deflateSync(bytes)),
    deflateSync(Buffer.alloc(MOST, 7)),
    deflateSync(Buffer.alloc(MOST + 1, 7)),
    deflateSync(Buffer.from("stored"), { level: 0 }),
    deflateSync(Buffer.from("fixed"), { strategy: 4 }),
  ],
  refusals: [Nothing],
  run: (input) => {
    const theirs = keyOf(() => nodeInflate(input, { maxOutputLength: MOST }))
    const ours = keyOf(() => inflateSync(input, { maxOutputLength: MOST }))
    must((ours === null) === (theirs === null), "it refuses what Node refuses, and nothing else")
    if (ours === null || theirs === null) throw new Nothing("refused")
    must(same(ours, theirs), "the same octets come out")
    return `${ours.length === 0} ${ours.length > 1000}`
  },
}
