import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startKeys } from "@paraph/gateways/keys"
import { toPem } from "@paraph/trust-sandbox/authority"
import { startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { stackSettings } from "./settings.ts"

export type Trust = {
  readonly sandbox: TrustSandbox
  /** The certificate of the service's demo key, DER. */
  readonly certificate: Uint8Array
  /** PEM. Where trust begins. */
  readonly rootFile: string
  /** For a service that signs by this trust. */
  readonly env: Readonly<Record<string, string>>
  readonly close: () => Promise<void>
}

/**
 * Authorities of one's own, whose services can be told to misbehave, and a certificate of theirs for demo signatures, which the
 * operator of the service brings along.
 */
export async function startTrust(now: () => Date = () => new Date()): Promise<Trust> {
  const sandbox = await startTrustSandbox({ now })
  const folder = mkdtempSync(join(tmpdir(), "paraph-trust-"))
  const stack = stackSettings()
  const keys = startKeys({
    module: stack.PKCS11_MODULE ?? "",
    tokenLabel: stack.PKCS11_DEMO_TOKEN ?? "",
    pinFile: stack.PKCS11_DEMO_PIN_FILE ?? "",
    env: { SOFTHSM2_CONF: stack.SOFTHSM2_CONF ?? "" },
  })
  const keyLabel = `brought-${randomBytes(6).toString("hex")}`
  const publicKeySpki = await keys.generate(keyLabel, "P-256")
  await keys.close()
  const certificate = await sandbox.issue({ commonName: "Paraph sandbox, demo signatures", publicKeySpki })
  const [rootFile, certificateFile] = [join(folder, "root.pem"), join(folder, "demo.pem")]
  writeFileSync(rootFile, toPem(sandbox.root))
  writeFileSync(certificateFile, toPem(certificate) + toPem(sandbox.issuing))
  return {
    sandbox,
    certificate,
    rootFile,
    env: {
      TIMESTAMP_URLS: sandbox.timestampUrl,
      TRUST_ANCHORS_FILE: rootFile,
      REVOCATION_ALLOWED_HOSTS: new URL(sandbox.url).host,
      SERVICE_KEY_LABEL: keyLabel,
      DEMO_CERTIFICATE_FILE: certificateFile,
    },
    close: async () => {
      await sandbox.close()
      rmSync(folder, { recursive: true })
    },
  }
}
