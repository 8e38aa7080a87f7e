import { Refusal } from "../refusal.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import type { RemoteProvider } from "./model.ts"
import type { RemoteProviders } from "./ports.ts"

type Of = Pick<SignatureRequest, "kind" | "quality" | "legislation">

/** Where a signer of this request can sign with a qualified certificate: of the law that was asked for, and of the kind. */
export const providersFor = (
  { kind, quality, legislation }: Of,
  providers: RemoteProviders,
): RemoteProviders =>
  quality === "QES" || quality === "AES_MINIMAL"
    ? providers.filter((one) => one.kind === kind && one.legislation === legislation)
    : []

/**
 * Whether only a provider's signature will do. AES_MINIMAL is QES where the signer can; a demo QES has no weight, so where no demo
 * provider is configured a key of ours plays its part.
 */
export const needsProvider = (request: Of, providers: RemoteProviders): boolean =>
  request.quality === "QES" && (request.kind === "production" || providersFor(request, providers).length > 0)

/** Said when it is asked for, and not to the person who has read and wants to sign. */
export function mustHaveProvider(request: Of, providers: RemoteProviders): void {
  if (needsProvider(request, providers) && providersFor(request, providers).length === 0)
    throw new Refusal("feature-not-enabled", `The quality QES is not enabled by ${request.legislation}.`)
}

/** The one that the signer chose; null where the key will be one of our own token. */
export function chosenProvider(
  request: Of,
  providers: RemoteProviders,
  name: string | null,
): RemoteProvider | null {
  const found = providersFor(request, providers).find((one) => one.name === name) ?? null
  if (found === null && (name !== null || needsProvider(request, providers)))
    throw new Refusal("constraint-violated", "Choose the provider at which you have a certificate.")
  return found
}
