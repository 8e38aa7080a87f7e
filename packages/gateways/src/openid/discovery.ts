import * as client from "openid-client"
import { OutboundFailed } from "../outbound/failed.ts"
import type { Answer, Outbound, Purpose } from "../outbound/outbound.ts"
import { OpenIdFailed } from "./failed.ts"

/** We, as a provider knows us. */
export type Registration = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

export type DiscoveryOptions = {
  /** What else was agreed on when we were registered. */
  readonly metadata?: Partial<client.ClientMetadata>
  /** Without TLS, where the operator has named that very host. */
  readonly plain?: boolean
}

const TIMEOUT_MS = 15_000
/** Asymmetric ones: never `none`, nor those by the secret of the client, which we do not share for that. */
export const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
]

/** Asked for each time: what a provider has changed counts at once, and nobody logs in so often that it would matter. */
export async function discover(
  ask: client.CustomFetch,
  { issuer, clientId, clientSecret }: Registration,
  { metadata = {}, plain = false }: DiscoveryOptions = {},
) {
  return telling(async () => {
    const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
      [client.customFetch]: ask,
      timeout: TIMEOUT_MS / 1000,
      ...(plain && { execute: [client.allowInsecureRequests] }),
    })
    const { supportsPKCE: _, ...server } = found.serverMetadata()
    // The library lets some well-known ones differ, whose one address stands for whoever has an account there at all.
    if (URL.parse(server.issuer)?.href !== new URL(issuer).href)
      throw new OpenIdFailed("The provider calls itself by another name.")
    if (!server.authorization_endpoint || !server.token_endpoint || !server.jwks_uri)
      throw new OpenIdFailed("The provider does not say where people log in, or with which keys it signs.")
    const algorithms = server.id_token_signing_alg_values_supported ?? ["RS256"]
    const taken = algorithms.filter((name) => ALGORITHMS.includes(name))
    if (taken.length === 0) throw new OpenIdFailed("The provider signs with no algorithm that we take.")
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
    const proof = methods.includes("client_secret_basic")
      ? client.ClientSecretBasic(clientSecret)
      : client.ClientSecretPost(clientSecret)
    const known = { ...server, id_token_signing_alg_values_supported: taken }
    const config = new client.Configuration(known, clientId, metadata, proof)
    config[client.customFetch] = ask
    config.timeout = TIMEOUT_MS / 1000
    if (plain) client.allowInsecureRequests(config)
    // The signature is checked too, though the token comes over TLS from where it is made.
    client.enableNonRepudiationChecks(config)
    return { config, issuer: server.issuer }
  })
}

/** `fetch` as the library calls it, by the one client for everything that leaves the service. */
export const guardedFetch =
  (
    outbound: Outbound,
    purpose: Purpose,
    maxBytes: number,
    /** Told of each answer, for whoever keeps the very bytes of one. */
    onAnswer: (url: string, answer: Answer) => void = () => undefined,
  ): client.CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await outbound.request(purpose, url, {
      method: method === "POST" ? "POST" : "GET",
      headers,
      ...(body !== undefined && body !== null && { body: Buffer.from(body.toString()) }),
      maxBytes,
      timeoutMs: TIMEOUT_MS,
    })
    onAnswer(url, answer)
    const { "content-type": contentType = "", "www-authenticate": challenge } = answer.headers
    return new Response(answer.status === 204 ? null : Buffer.from(answer.body), {
      status: answer.status,
      headers: { "content-type": contentType, ...(challenge && { "www-authenticate": challenge }) },
    })
  }

export async function telling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OpenIdFailed) throw error
    const { cause } = error as Error
    // Its words were made to be shown.
    if (cause instanceof OutboundFailed) throw new OpenIdFailed(cause.message, { cause })
    throw new OpenIdFailed("The provider's answer was not accepted.", { cause: error })
  }
}
