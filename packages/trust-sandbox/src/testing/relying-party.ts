// For the tests: what somebody does who got a certificate or a time-stamp of the sandbox, with OpenSSL alone.

import { readFile } from "node:fs/promises"
import { memoryKey } from "../keyring.ts"
import type { TrustSandbox } from "../sandbox.ts"
import type { Openssl } from "./openssl.ts"

export async function issueTo(sandbox: TrustSandbox, commonName: string): Promise<Uint8Array> {
  return sandbox.issue({ commonName, publicKeySpki: memoryKey("ecdsa-sha256").publicKeySpki })
}

export function relyingParty(openssl: Openssl) {
  const trust = async ({ root, issuing }: TrustSandbox, untrusted: string) => [
    "-CAfile",
    await openssl.pem(root),
    untrusted,
    await openssl.pem(issuing),
  ]
  return {
    verify: async (sandbox: TrustSandbox, certificate: Uint8Array, ...more: string[]) => {
      const path = await trust(sandbox, "-untrusted")
      return openssl.run("verify", "-x509_strict", ...more, ...path, await openssl.pem(certificate))
    },
    /** Asks about all of them in one request. */
    ask: async (sandbox: TrustSandbox, ...certificates: Uint8Array[]) => {
      const asked = ["-issuer", await openssl.pem(sandbox.issuing)]
      for (const certificate of certificates) asked.push("-cert", await openssl.pem(certificate))
      const url = ["-url", `${sandbox.url}/ocsp/issuing`]
      return openssl.run("ocsp", ...asked, ...url, ...(await trust(sandbox, "-verify_other")))
    },
    /** What `openssl ts` says of the answer, and `openssl cms` of the token in it. */
    stamp: async (sandbox: TrustSandbox, content: string) => {
      const query = await openssl.file("")
      const asked = ["-data", await openssl.file(content), "-sha256", "-cert"]
      await openssl.run("ts", "-query", ...asked, "-out", query)
      const reply = await openssl.file(
        await post(sandbox.timestampUrl, "application/timestamp-query", await readFile(query)),
      )
      const path = await trust(sandbox, "-untrusted")
      const token = await openssl.file("")
      await openssl.run("ts", "-reply", "-in", reply, "-token_out", "-out", token)
      const judged = ["-inform", "DER", "-in", token, "-out", await openssl.file("")]
      const root = ["-CAfile", await openssl.pem(sandbox.root), "-purpose", "timestampsign"]
      return {
        ts: await openssl.run("ts", "-verify", "-queryfile", query, "-in", reply, ...path),
        cms: await openssl.run("cms", "-verify", "-cades", ...judged, ...root),
      }
    },
  }
}

/** What makes `openssl verify` look at the lists of both authorities. */
export async function crls(openssl: Openssl, { url }: TrustSandbox): Promise<string[]> {
  const lists: string[] = []
  for (const name of ["root", "issuing"]) {
    const crl = new Uint8Array(await (await fetch(`${url}/crl/${name}.crl`)).arrayBuffer())
    const { said } = await openssl.run("crl", "-inform", "DER", "-in", await openssl.file(crl))
    lists.push(said)
  }
  return ["-crl_check_all", "-CRLfile", await openssl.file(lists.join(""))]
}

/** In the order of the questions. */
export function statuses(said: string): string[] {
  return [...said.matchAll(/^.*: (good|revoked|unknown)$/gm)].map(([, status = ""]) => status)
}

export async function post(url: string, contentType: string, body: Uint8Array): Promise<Uint8Array> {
  const headers = { "content-type": contentType }
  const response = await fetch(url, { method: "POST", headers, body: Buffer.from(body) })
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}.`)
  return new Uint8Array(await response.arrayBuffer())
}
