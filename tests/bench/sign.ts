// What signing costs beyond the two things that nobody can save: one SHA-256 over the file and one signature. Ratios
// compare with those two in the same run, so they hold on any machine; the milliseconds do not.

import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { finish } from "@paraph/pades/finish"
import { prepare } from "@paraph/pades/prepare"
import { samplePdf } from "@paraph/pades/sample"
import { createAuthority } from "@paraph/trust-sandbox/authority"

const SIZES = [
  { name: "100 kB", bytes: 100_000, runs: 200 },
  { name: "10 MB", bytes: 10_000_000, runs: 20 },
  { name: "100 MB", bytes: 100_000_000, runs: 7 },
] as const

const KEYS = [
  ["RSA-2048", generateKeyPairSync("rsa", { modulusLength: 2048 })],
  ["ECDSA P-256", generateKeyPairSync("ec", { namedCurve: "P-256" })],
] as const

const now = new Date()
const authority = await createAuthority({ commonName: "Bench", now })
const rows: Record<string, string>[] = []
for (const { name, bytes, runs } of SIZES) {
  const pdf = samplePdf({ attachedBytes: bytes })
  for (const [kind, { privateKey, publicKey }] of KEYS) {
    const signOnce = await signerOf(privateKey, publicKey)
    // Before and after, so that a machine that slows down in between does not flatter us.
    const before = fastest(() => bare(pdf, privateKey), runs)
    const signMs = fastest(() => signOnce(pdf), runs)
    const bareMs = Math.min(
      before,
      fastest(() => bare(pdf, privateKey), runs),
    )
    rows.push({
      file: name,
      key: kind,
      "bare (ms)": bareMs.toFixed(2),
      "sign (ms)": signMs.toFixed(2),
      ratio: (signMs / bareMs).toFixed(2),
    })
  }
}
console.table(rows)

function bare(pdf: Uint8Array, privateKey: KeyObject): void {
  sign("sha256", createHash("sha256").update(pdf).digest(), privateKey)
}

async function signerOf(privateKey: KeyObject, publicKey: KeyObject): Promise<(pdf: Uint8Array) => void> {
  const publicKeySpki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
  const certificate = await authority.issue({ commonName: "Ada", publicKeySpki, now, validDays: 30 })
  const options = { fieldName: "Paraph-1", certificate, chain: [authority.certificate], signedAt: now }
  return (pdf) => {
    const prepared = prepare(pdf, options)
    finish(prepared, sign("sha256", Buffer.from(prepared.signedAttributes, "base64"), privateKey))
  }
}

/** The minimum: noise only ever adds. */
function fastest(act: () => void, runs: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < runs; i++) {
    const start = performance.now()
    act()
    best = Math.min(best, performance.now() - start)
  }
  return best
}
