import { existsSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { startKeys } from "@paraph/gateways/keys"
import { createAuthority, loadAuthority, toPem } from "./authority.ts"

export type TokenPlace = {
  readonly module: string
  readonly tokenLabel: string
  readonly pinFile: string
  readonly env: Record<string, string>
}

export type IdentityFiles = {
  readonly rootFile: string
  readonly demoFile: string
  readonly productionFile: string
}

const VALID_DAYS = 365

/**
 * The service's own keys and certificates for a machine on which nothing has legal weight: each key is made inside
 * its token, its certificate comes from a root that lies beside it. What is there already is kept.
 */
export async function makeServiceIdentities(
  dir: string,
  keyLabel: string,
  tokens: { readonly demo: TokenPlace; readonly production: TokenPlace },
  now: Date,
): Promise<IdentityFiles> {
  await mkdir(dir, { recursive: true })
  const rootFile = join(dir, "root.pem")
  const authority = await rootOf(dir, rootFile, now)
  const files: string[] = []
  for (const [kind, token] of Object.entries(tokens)) {
    const file = join(dir, `${kind}.pem`)
    files.push(file)
    if (existsSync(file)) continue
    const commonName = `Paraph sandbox, ${kind} signatures`
    const publicKeySpki = await keyOf(token, keyLabel)
    const certificate = await authority.issue({ commonName, publicKeySpki, now, validDays: VALID_DAYS })
    await writeFile(file, toPem(certificate) + authority.certificatePem)
  }
  const [demoFile = "", productionFile = ""] = files
  return { rootFile, demoFile, productionFile }
}

async function rootOf(dir: string, rootFile: string, now: Date) {
  const keyFile = join(dir, "root-key.pem")
  if (existsSync(rootFile))
    return loadAuthority({
      keyPem: await readFile(keyFile, "utf8"),
      certificatePem: await readFile(rootFile, "utf8"),
    })
  const authority = await createAuthority({ commonName: "Paraph sandbox root, no legal effect", now })
  await writeFile(keyFile, authority.keyPem, { mode: 0o600 })
  await writeFile(rootFile, authority.certificatePem)
  return authority
}

async function keyOf(token: TokenPlace, label: string): Promise<Uint8Array> {
  const keys = startKeys(token)
  try {
    return (await keys.publicKey(label)) ?? (await keys.generate(label, "P-256"))
  } finally {
    await keys.close()
  }
}
