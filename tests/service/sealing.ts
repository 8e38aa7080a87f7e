import { makeSofthsmToken } from "@paraph/gateways/testing/softhsm-token"
import { type Api, createApi } from "./api.ts"
import { type Service, type ServiceOptions, startService } from "./service.ts"

export type SealingService = Service & {
  /** A client with a production key of the same business. */
  readonly production: Api
}

/**
 * A service with authorities of its own and the feature switched on; production has a seal, and demo keys get theirs by
 * themselves. In a token of its own: seals leave keys behind, and that of the stack is everybody's.
 */
export async function startSealing(options: ServiceOptions = {}): Promise<SealingService> {
  const token = makeSofthsmToken()
  const { tokenLabel, pinFile, env } = token.settings
  const service = await startService({
    ...options,
    env: {
      ...env,
      PKCS11_DEMO_TOKEN: tokenLabel,
      PKCS11_DEMO_PIN_FILE: pinFile,
      PKCS11_PRODUCTION_TOKEN: tokenLabel,
      PKCS11_PRODUCTION_PIN_FILE: pinFile,
      ...options.env,
    },
  })
  const { business, paraph } = service
  for (const kind of ["demo", "production"])
    await paraph("ca", "init", "--kind", kind, "--organization", "Acme Trust AG", "--country", "CH")
  await switchSealing(service, business, "--on")
  await createSeal(service, "main")
  return {
    ...service,
    production: await createApi(service.url, service.username, service.productionKey),
    close: async () => {
      await service.close()
      token.remove()
    },
  }
}

export const switchSealing = (service: Service, business: string, how: "--on" | "--off") =>
  service.paraph("admin", "set-feature", "--business", business, "--feature", "sealing", how)

/** Of production, for the service's own business. */
export const createSeal = ({ paraph, business }: Service, name: string, ...more: string[]) => {
  const which = ["--business", business, "--kind", "production", "--name", name]
  const company = ["--organization", "Acme AG", "--identifier", "NTRCH-CHE-123.456.789", "--country", "CH"]
  return paraph("seal", "create", ...which, ...company, ...more)
}
