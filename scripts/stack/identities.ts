// The keys and certificates of a stack, and the settings that name them.
import { join } from "node:path"
import { makeServiceIdentities } from "@paraph/trust-sandbox/service-identities"

const KEY_LABEL = "paraph-service"

export async function identitySettings(dir: string, env: Readonly<Record<string, string>>) {
  const token = (kind: "DEMO" | "PRODUCTION") => ({
    module: env.PKCS11_MODULE ?? "",
    tokenLabel: env[`PKCS11_${kind}_TOKEN`] ?? "",
    pinFile: env[`PKCS11_${kind}_PIN_FILE`] ?? "",
    env: { SOFTHSM2_CONF: env.SOFTHSM2_CONF ?? "" },
  })
  const tokens = { demo: token("DEMO"), production: token("PRODUCTION") }
  const files = await makeServiceIdentities(join(dir, "trust"), KEY_LABEL, tokens, new Date())
  return {
    SERVICE_KEY_LABEL: KEY_LABEL,
    DEMO_CERTIFICATE_FILE: files.demoFile,
    PRODUCTION_CERTIFICATE_FILE: files.productionFile,
    SANDBOX_ROOT_FILE: files.rootFile,
  }
}
