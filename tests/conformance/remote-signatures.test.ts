// PDFs signed by a remote provider: prepared here, released by the person there for all of them at once, finished from what
// is on record, and judged by others.

import { X509Certificate } from "node:crypto"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type CscSigning, createCscProvider } from "@paraph/gateways/csc"
import { createOutbound } from "@paraph/gateways/outbound"
import { finish } from "@paraph/pades/finish"
import { prepare } from "@paraph/pades/prepare"
import type { Prepared } from "@paraph/pades/prepared"
import { samplePdf } from "@paraph/pades/sample"
import { readCertificate } from "@paraph/pki/certificate"
import { startCscProvider } from "@paraph/trust-sandbox/csc"
import { visitCscProvider } from "@paraph/trust-sandbox/csc-person"
import { startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { afterAll, beforeAll, expect, it } from "vitest"
import { opensslCades, pdfsig, pyhanko } from "./judges.ts"

const CLIENT = { clientId: "paraph", clientSecret: "secret" }
const REDIRECT = "https://sign.example/qes/sandbox/back"
const PERSON = { login: "zoe.mueller@example.org" }
const COUNT = 3
const now = () => new Date()

let folder = ""
let root = ""
let sandbox: TrustSandbox
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-remote-"))
  sandbox = await startTrustSandbox({ now })
  root = join(folder, "root.pem")
  await writeFile(root, new X509Certificate(sandbox.root).toString())
})
afterAll(async () => {
  await sandbox?.close()
  await rm(folder, { recursive: true })
})

it.each([
  ["EIDAS", "ecdsa-sha256"],
  ["ZERTES", "rsa-pss-sha256"],
] as const)(
  "%s with %s: one release for all documents, which others find valid",
  async (legislation, algorithm) => {
    const clients = [{ ...CLIENT, redirectUris: [REDIRECT] }]
    const csc = await startCscProvider({ sandbox, now, clients, legislation, algorithm })
    try {
      const files = await signAll(csc.baseUrl, legislation)
      expect(csc.signatures()).toHaveLength(COUNT)
      const verdicts = await pyhanko(root, files)
      for (const file of files) {
        expect(verdicts.get(file)?.signatures).toMatchObject([
          { field: "Zoë", valid: true, intact: true, trusted: true, coverage: "ENTIRE_FILE" },
        ])
        expect(await opensslCades(await readFile(file), root, file)).toBe("CAdES Verification successful")
        // Poppler's NSS knows no PSS in CMS.
        if (algorithm === "ecdsa-sha256") expect((await pdfsig(file)).get("Zoë")).toBe("Signature is Valid.")
      }
    } finally {
      await csc.close()
    }
  },
)

type WithoutWay =
  | { readonly scope: "service" }
  | ({ readonly scope: "credential" } & Pick<CscSigning, "credentialId" | "algorithm" | "toBeSigned">)

async function signAll(baseUrl: string, legislation: "EIDAS" | "ZERTES"): Promise<readonly string[]> {
  const anchors = [readCertificate(sandbox.root)]
  const settings = { ...CLIENT, name: "sandbox", baseUrl, legislation, kind: "demo", anchors } as const
  const outbound = createOutbound({ allowedHosts: { qes: ["127.0.0.1"] } })
  const provider = createCscProvider(settings, { outbound, now })
  const visit = async (more: WithoutWay) => {
    const codeVerifier = `${crypto.randomUUID()}${crypto.randomUUID()}`
    const way = { redirectUri: REDIRECT, state: crypto.randomUUID(), codeVerifier }
    const { back } = await visitCscProvider(await provider.authorizationUrl({ ...way, ...more }), PERSON)
    return provider.exchange(way, back.search)
  }
  const { accessToken } = await visit({ scope: "service" })
  const [credential] = (await provider.credentials(accessToken)).usable
  const [algorithm] = credential?.algorithms.slice(-1) ?? []
  if (credential === undefined || algorithm === undefined) throw new Error("Nothing to sign with.")

  const bases = Array.from({ length: COUNT }, (_, index) => samplePdf({ pages: index + 1 }))
  const { certificate, chain } = credential
  const options = { fieldName: "Zoë", certificate, chain, algorithm: algorithm.name, signedAt: now() }
  // As it would lie in a row for days.
  const record = JSON.stringify(bases.map((base) => prepare(base, options)))
  const prepared: readonly Prepared[] = JSON.parse(record)
  const toBeSigned = prepared.map(({ signedAttributes }) => Buffer.from(signedAttributes, "base64"))
  const asked = { credentialId: credential.id, algorithm, toBeSigned }
  const released = await visit({ scope: "credential", ...asked })
  const signed = await provider.signHash({ ...asked, certificate, accessToken: released.accessToken })
  if (signed.state !== "signed") throw new Error("Not signed.")
  return Promise.all(
    prepared.map(async (one, index) => {
      const file = join(folder, `${legislation}-${index}.pdf`)
      const tail = finish(one, signed.values[index] ?? new Uint8Array())
      await writeFile(file, Buffer.concat([bases[index] ?? Buffer.of(), tail]))
      return file
    }),
  )
}
