// The secrets a server needs, made once per stack, each in a file that only its owner can read.
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { writePrivate } from "@paraph/cli/sandbox/private-file"
import { run } from "./process.ts"

type SecretName =
  | "pepper"
  | "kek"
  | "postgres-superuser"
  | "postgres-paraph"
  | "postgres-paraph-server"
  | "s3-access-key"
  | "s3-secret-key"
  | "pin-demo"
  | "pin-production"

const tokenKeyName = "token-key.pem"

export async function makeSecrets(dir: string): Promise<void> {
  await secret(dir, "pepper")
  await secret(dir, "kek")
  await makeTokenKey(dir)
}

export function secretFile(dir: string, name: SecretName | typeof tokenKeyName): string {
  return join(dir, "secrets", name)
}

/** Reads a secret, or makes it: 32 random bytes in hex; a PIN is shorter, as tokens limit its length. */
export async function secret(dir: string, name: SecretName): Promise<string> {
  const path = secretFile(dir, name)
  if (existsSync(path)) return readFile(path, "utf8")
  await mkdir(join(dir, "secrets"), { recursive: true, mode: 0o700 })
  const value = randomBytes(name.startsWith("pin-") ? 8 : 32).toString("hex")
  await writePrivate(path, value)
  return value
}

async function makeTokenKey(dir: string): Promise<void> {
  const path = secretFile(dir, tokenKeyName)
  if (existsSync(path)) return
  const { privateKey } = generateKeyPairSync("ed25519")
  await writePrivate(path, privateKey.export({ type: "pkcs8", format: "pem" }).toString())
}

export function caFile(dir: string): string {
  return join(dir, "tls", "ca.pem")
}

/** A development CA and a certificate for this machine, for callback receivers that speak https. */
export async function makeTls(dir: string): Promise<void> {
  const tls = join(dir, "tls")
  if (existsSync(tls)) return
  // Made aside and moved in whole: a set-up that was interrupted leaves no half of a PKI.
  const draft = `${tls}.${process.pid}`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  const openssl = (...args: string[]) => run("openssl", args, { cwd: draft })
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc"]
  const forTenYears = ["-days", "3650"]

  const caUsage = ["-addext", "keyUsage=critical,keyCertSign,cRLSign"]
  const caName = ["-subj", "/CN=Paraph development CA"]
  await openssl(
    "req",
    "-x509",
    ...newKey,
    ...caName,
    ...caUsage,
    ...forTenYears,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
  )

  await openssl(
    "req",
    "-new",
    ...newKey,
    "-subj",
    "/CN=localhost",
    "-keyout",
    "server.key",
    "-out",
    "server.csr",
  )
  await writeFile(join(draft, "server.ext"), serverExtensions)
  const issuer = ["-CA", "ca.pem", "-CAkey", "ca.key", "-extfile", "server.ext"]
  await openssl("x509", "-req", "-in", "server.csr", ...issuer, ...forTenYears, "-out", "server.pem")

  for (const name of ["server.csr", "server.ext"]) await rm(join(draft, name))
  for (const name of ["ca.key", "ca.pem", "server.key", "server.pem"]) await chmod(join(draft, name), 0o600)
  await rename(draft, tls)
}

const serverExtensions = `basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=serverAuth
subjectAltName=DNS:localhost,IP:127.0.0.1
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
`
