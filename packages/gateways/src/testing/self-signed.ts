import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** For tests: a certificate that vouches for itself, and its key, made by OpenSSL in the folder given. */
export function selfSigned(folder: string): { readonly certificate: Uint8Array; readonly key: Buffer } {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" })
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
  const files = ["-keyout", "key.pem", "-out", "cert.pem"]
  openssl("req", "-x509", ...curve, ...files, "-subj", "/CN=Signer", "-days", "2")
  const certificate = new Uint8Array(openssl("x509", "-in", "cert.pem", "-outform", "DER"))
  return { certificate, key: readFileSync(join(folder, "key.pem")) }
}
