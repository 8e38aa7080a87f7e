import type { SignerSession } from "@paraph/core/login/signer"
import { needsProvider, providersFor } from "@paraph/core/remote-key/providers"
import { currentConsent } from "@paraph/core/signature-request/consent"
import type { View } from "@paraph/core/signature-request/view"
import type { Parts } from "../../parts.ts"

type Language = NonNullable<Parameters<typeof currentConsent>[0]>

/**
 * Where the signer can sign with a qualified certificate, and what they agree to then; why the last attempt came to nothing. Null
 * where no provider has anything to do with it, and for whoever only looks.
 */
export async function atProviderOf(
  parts: Parts,
  session: SignerSession,
  { request, signature, screen }: View,
  language: Language,
) {
  const providers = providersFor(request, parts.remoteProviders)
  if (providers.length === 0 || session.way === "preview" || screen !== "read") return null
  return {
    providers: providers.map(({ name, title }) => ({ name, title })),
    required: needsProvider(request, parts.remoteProviders),
    consent: currentConsent(language, "provider"),
    problem: await problemOf(parts, session, signature.id),
  }
}

/** What the person is to do at the provider now, and what went wrong there the last time. */
export async function remoteReleaseOf(parts: Parts, session: SignerSession, { request, signature }: View) {
  const { turn } = signature
  if (turn?.provider == null) return null
  const known = parts.remoteProviders.find(
    ({ name, kind }) => name === turn.provider && kind === request.kind,
  )
  return {
    title: known?.title ?? turn.provider,
    visit: turn.state === "logging-in" ? ("log-in" as const) : ("release" as const),
    /** As the certificate has it. */
    name: turn.state === "offered" ? turn.name.name : null,
    problem: await problemOf(parts, session, signature.id),
  }
}

const problemOf = async (parts: Parts, { businessId }: SignerSession, signatureId: string) =>
  (await parts.read(businessId, (reading) => reading.findRemoteSigning(signatureId)))?.problem ?? null
