// A contract that was signed, the story of how, and the report that brings the story along, sealed: all in memory.

import { createHash, sign } from "node:crypto"
import type { EvidenceBody } from "@paraph/evidence/body"
import { type Story, writeStory } from "@paraph/evidence/story"
import { samplePdf, writeSample } from "@paraph/pades/sample"
import { readTimestampRequest, timestampRequest } from "@paraph/pki/timestamp"
import { writeTimestampToken } from "@paraph/pki/timestamp-writer"
import { type NoteKey, writeVerifierKey } from "@paraph/tlog/note-key"
import { bodyOf, loggedStory } from "../../../evidence/src/testing/logged-story.ts"
import { type SigningWorld, signingWorld } from "../../../validation/src/testing/signing-world.ts"

const NOON = new Date("2026-11-16T12:00:00Z")
const HOUR_MS = 3_600_000
export const later = (hours: number): Date => new Date(NOON.getTime() + hours * HOUR_MS)

export type ToldWorld = {
  readonly world: SigningWorld
  readonly contract: Uint8Array
  readonly story: Story
  readonly report: Uint8Array
  readonly key: NoteKey
  readonly keyLine: string
  readonly root: Uint8Array
  /** Another contract of the same people, of which the story knows nothing. */
  readonly other: Uint8Array
}

export async function toldWorld(): Promise<ToldWorld> {
  const validity = { notBefore: later(-24), notAfter: new Date("2044-01-01T00:00:00Z") }
  const world = await signingWorld({ signer: validity, authorities: [validity] })
  const base = samplePdf()
  const contract = await world.raise(world.sign(NOON, base), "B-LTA", NOON)
  const other = await world.raise(world.sign(NOON, samplePdf({ pages: 2 })), "B-LTA", NOON)
  const bodies = storyBodies(sha256(base), sha256(contract))
  const stamp = (bytes: Uint8Array) => stampOf(world, bytes, later(1))
  const { story, key } = await loggedStory(bodies.length, 20, { bodies, stamp })
  const sealed = world.sign(later(2), reportWith(writeStory(story)), {
    reason: `Protocol of signature request ${story.request}`,
  })
  const report = await world.raise(sealed, "B-LTA", later(2))
  const root = world.root.certificate.der
  return { world, contract, story, report, key, keyLine: writeVerifierKey(key), root, other }
}

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

function storyBodies(base: string, contract: string): readonly EvidenceBody[] {
  const ids = { documentId: "5f0e0d0c-0b0a-4908-8706-050403020100" }
  return [
    bodyOf(1, { type: "request.created", data: { ...ids, sha256: base } }),
    bodyOf(2, { type: "signature.invited", data: {} }),
    bodyOf(3, { type: "signature.consented", data: { name: "Ada", language: "de" } }),
    bodyOf(4, { type: "mark.made", data: { ...ids, sha256: contract } }),
    bodyOf(5, { type: "request.completed", data: {} }),
  ]
}

/** As reports attach it: in the tree of names, as data that belong to the document. */
export function reportWith(json: string, name = "story.json"): Uint8Array {
  const bytes = Buffer.from(json, "utf8")
  const stream = Buffer.concat([
    Buffer.from(`<< /Type /EmbeddedFile /Subtype /application#2Fjson /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ])
  return writeSample([
    "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles 4 0 R >> /AF [5 0 R] >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 595.28 841.89] >>",
    "<< /Type /Page /Parent 2 0 R >>",
    `<< /Names [(${name}) 5 0 R] >>`,
    `<< /Type /Filespec /F (${name}) /UF (${name}) /AFRelationship /Data /EF << /F 6 0 R /UF 6 0 R >> >>`,
    stream,
  ])
}

let lastSerial = 1_000_000n

async function stampOf(world: SigningWorld, bytes: Uint8Array, genTime: Date): Promise<Uint8Array> {
  const [authority] = world.authorities
  if (authority === undefined) throw new RangeError("There is no authority.")
  lastSerial += 1n
  const digest = createHash("sha256").update(bytes).digest()
  return writeTimestampToken({
    certificate: authority.certificate,
    chain: [world.root.certificate],
    algorithm: "ecdsa-sha256",
    signBytes: async (signed) => sign("sha256", signed, authority.privateKey),
    request: readTimestampRequest(timestampRequest({ digestAlgorithm: "sha256", digest, nonce: lastSerial })),
    policy: "2.25.1",
    serialNumber: lastSerial,
    genTime,
  })
}
