import { constants, createPublicKey, verify } from "node:crypto"
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import { afterAll, describe, expect, it } from "vitest"
import type { KeyAlgorithm } from "../keys-pkcs11/protocol.ts"
import { keysInFolder } from "./keys-in-folder.ts"

const KINDS: Record<KeyAlgorithm, readonly SignatureAlgorithm[]> = {
  "P-256": ["ecdsa-sha256"],
  "P-384": ["ecdsa-sha384"],
  Ed25519: ["ed25519"],
  "RSA-2048": ["rsa-sha256", "rsa-pss-sha256"],
  "RSA-3072": ["rsa-sha256"],
  "RSA-4096": ["rsa-sha256"],
}
const data = Buffer.from("what is to be signed")
const folders: string[] = []
const newFolder = (): string => {
  folders.push(mkdtempSync(join(tmpdir(), "paraph-keys-")))
  return folders.at(-1) ?? ""
}
afterAll(() => folders.forEach((folder) => void rmSync(folder, { recursive: true })))

describe.each(Object.keys(KINDS) as KeyAlgorithm[])("a key of kind %s in a folder", (kind) => {
  it("signs what OpenSSL verifies, also after a new start, and only by its own algorithms", async () => {
    const folder = newFolder()
    const spki = await keysInFolder({ folder }).generate("seal of 1, a/b", kind)
    const keys = keysInFolder({ folder })
    expect(await keys.publicKey("seal of 1, a/b")).toEqual(spki)
    for (const algorithm of Object.keys(SIGNATURE_ALGORITHMS) as SignatureAlgorithm[]) {
      const signed = keys.sign("seal of 1, a/b", data, algorithm)
      const isOfKind =
        SIGNATURE_ALGORITHMS[algorithm].keyKind === SIGNATURE_ALGORITHMS[KINDS[kind][0] ?? "ed25519"].keyKind
      if (isOfKind) expect(verifies(spki, await signed, algorithm)).toBe(true)
      else await expect(signed).rejects.toMatchObject({ code: "wrong-algorithm" })
    }
    await keys.health("seal of 1, a/b")
  })
})

describe("keys in a folder", () => {
  it.each(["P-256", "P-384", "Ed25519"] as const)(
    "of one seed are the same in two folders, and so are their signatures: %s",
    async (kind) => {
      const signedIn = async (seed: string, label: string) => {
        const keys = keysInFolder({ folder: newFolder(), seed })
        const spki = await keys.generate(label, kind)
        return { spki, value: Buffer.from(await keys.sign(label, data)).toString("hex") }
      }
      const first = await signedIn("42", "a")
      expect(await signedIn("42", "a")).toEqual(first)
      for (const other of [await signedIn("42", "b"), await signedIn("43", "a")]) {
        expect(other.spki).not.toEqual(first.spki)
        expect(other.value).not.toBe(first.value)
      }
    },
  )

  it("says what a token says of a label that is taken, free, or destroyed", async () => {
    const keys = keysInFolder({ folder: newFolder(), seed: "1" })
    await keys.generate("a", "P-256")
    await expect(keys.generate("a", "P-256")).rejects.toMatchObject({ code: "label-taken" })
    await expect(keys.sign("b", data)).rejects.toMatchObject({ code: "no-such-key" })
    expect(await keys.publicKey("b")).toBeNull()
    await keys.destroy("a")
    await keys.destroy("a")
    await expect(keys.sign("a", data)).rejects.toMatchObject({ code: "no-such-key" })
  })

  it("are files that nobody else reads, inside the folder whatever the label", async () => {
    const folder = newFolder()
    await keysInFolder({ folder }).generate("../../outside", "P-256")
    const files = readdirSync(folder)
    expect(files).toHaveLength(1)
    expect(statSync(join(folder, files[0] ?? "")).mode & 0o777).toBe(0o600)
  })
})

function verifies(spki: Uint8Array, value: Uint8Array, algorithm: SignatureAlgorithm): boolean {
  const key = createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" })
  if (algorithm === "ed25519") return verify(null, data, key, value)
  const { digest } = SIGNATURE_ALGORITHMS[algorithm]
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  return verify(digest, data, { key, ...(algorithm === "rsa-pss-sha256" && pss) }, value)
}
