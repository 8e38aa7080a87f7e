// LibPDF, signing in memory at B-B: an order on standard input, one line of JSON per job (beside.ts).

import { webcrypto } from "node:crypto"
import { readFileSync } from "node:fs"
import { CryptoKeySigner, PDF } from "@libpdf/core"
import { fastest } from "../fastest.ts"
import { type IdentityFiles, readIdentity } from "../identity-files.ts"

const { jobs } = JSON.parse(readFileSync(0, "utf8"))
for (const { file, files, ...effort } of jobs) {
  try {
    const signer = await signerOf(files)
    const pdf = new Uint8Array(readFileSync(file))
    const sign = async () => {
      const document = await PDF.load(pdf)
      const { bytes } = await document.sign({ signer, level: "B-B", fieldName: "Paraph-1" })
      if (bytes.length <= pdf.length) throw new Error("Nothing was appended.")
    }
    const { spent } = await fastest({ spent: sign }, effort)
    console.log(JSON.stringify(spent))
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }))
  }
}

async function signerOf(files: IdentityFiles): Promise<CryptoKeySigner> {
  const { privateKey, certificate, chain } = readIdentity(files)
  const isRsa = privateKey.asymmetricKeyType === "rsa"
  const pkcs8 = privateKey.export({ type: "pkcs8", format: "der" })
  const algorithm = isRsa
    ? { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }
    : { name: "ECDSA", namedCurve: "P-256" }
  const key = await webcrypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"])
  return new CryptoKeySigner(key, certificate, isRsa ? "RSA" : "EC", isRsa ? "RSASSA-PKCS1-v1_5" : "ECDSA", [
    ...chain,
  ])
}
