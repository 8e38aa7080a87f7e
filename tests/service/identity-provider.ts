import { readFileSync } from "node:fs"
import { createServer, request as httpsRequest } from "node:https"
import { join } from "node:path"
import { exportJWK, generateKeyPair } from "jose"
import { Provider } from "oidc-provider"
import { inject } from "vitest"
import { freePort, stackSettings } from "./settings.ts"

/** What the provider tells of somebody who logs in there as `login`, which is its `sub`. */
export type Claims = {
  readonly email?: string | undefined
  readonly email_verified?: unknown
  readonly name?: string
}

export type IdentityProvider = {
  readonly issuer: string
  readonly close: () => Promise<void>
}

export const CLIENT = { client_id: "paraph", client_secret: "a secret of the client, and of ours" }

type Handler = Parameters<typeof createServer>[1]

/** A server with a certificate of the stack's own authority; `handle` is made when its address is known. */
export async function startTls(handle: (url: string) => Handler | Promise<Handler>) {
  const tls = join(inject("stackDir"), "tls")
  const port = await freePort()
  const url = `https://localhost:${port}`
  const files = {
    key: readFileSync(join(tls, "server.key")),
    cert: readFileSync(join(tls, "server.pem")),
  }
  const server = createServer(files, await handle(url))
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve))
  return {
    url,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A real one: people say who they are on a page of its own, and everybody is believed. */
export async function startProvider(
  redirectUris: readonly string[],
  claimsOf: (login: string) => Claims,
): Promise<IdentityProvider> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true })
  const key = { ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "one" }
  const { url, close } = await startTls((issuer) => {
    const provider = new Provider(issuer, configuration(redirectUris, claimsOf, key))
    const rest = provider.callback()
    return async (request, response) => {
      if (request.url?.startsWith("/interaction/") !== true) return rest(request, response)
      const { params } = await provider.interactionDetails(request, response)
      if (request.method !== "POST") {
        response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page(params.login_hint))
        return
      }
      const login = new URLSearchParams(String(Buffer.concat(await request.toArray()))).get("login")
      await provider.interactionFinished(request, response, { login: { accountId: login } })
    }
  })
  return { issuer: url, close }
}

const configuration = (
  redirectUris: readonly string[],
  claimsOf: (login: string) => Claims,
  key: object,
): object => ({
  clients: [{ ...CLIENT, redirect_uris: redirectUris }],
  jwks: { keys: [key] },
  cookies: { keys: ["a key of the test"] },
  features: { devInteractions: { enabled: false } },
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
  interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  pkce: { required: () => true },
  findAccount: (_: unknown, login: string) => ({
    accountId: login,
    claims: () => ({ sub: login, ...claimsOf(login) }),
  }),
  loadExistingGrant: async ({ oidc }: { oidc: Grants }) => {
    const { provider, client, session } = oidc
    const of = { accountId: session.accountId, clientId: client.clientId }
    const grant = new provider.Grant(of)
    grant.addOIDCScope("openid email profile")
    await grant.save()
    return grant
  },
})

type Grants = {
  readonly provider: Provider
  readonly client: { readonly clientId: string }
  readonly session: { readonly accountId: string }
}

const page = (hint = ""): string =>
  `<!doctype html><html lang="en"><title>Login of Acme</title><h1>Login of Acme</h1>
   <form method="post"><label>Who are you? <input name="login" value="${hint.replace(/[<"&]/g, "")}"></label>
   <button>That is me</button></form>`

/** Somebody with a browser at the provider, who says who they are; answers where it sends them back to. */
export async function logInAtProvider(url: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let [at, method, body] = [new URL(url), "GET", ""]
  for (let step = 0; step < 10; step += 1) {
    const answer = await ask(at, method, body, cookies)
    if (answer.location === null) {
      if (method === "POST" || !answer.text.includes("That is me")) throw new Error(answer.text)
      method = "POST"
      body = new URLSearchParams({ login }).toString()
      continue
    }
    at = new URL(answer.location, at)
    if (at.protocol === "http:") return at
    method = "GET"
    body = ""
  }
  throw new Error("The provider goes round in circles.")
}

type Answered = { readonly location: string | null; readonly text: string }

function ask(url: URL, method: string, body: string, cookies: Map<string, string>): Promise<Answered> {
  const ca = readFileSync(stackSettings().OUTBOUND_CA_FILE ?? "")
  const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ")
  const headers = { cookie, "content-type": "application/x-www-form-urlencoded" }
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(url, { method, ca, headers }, async (response) => {
      for (const set of response.headers["set-cookie"] ?? []) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        cookies.set(name, value)
      }
      const text = String(Buffer.concat(await response.toArray()))
      resolve({ location: response.headers.location ?? null, text })
    })
    sent.once("error", reject)
    sent.end(body)
  })
}
