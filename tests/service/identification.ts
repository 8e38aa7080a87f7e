import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import {
  type IdentitySandbox,
  SANDBOX_ACR,
  SANDBOX_FRAMEWORK,
  startIdentityProvider,
} from "@paraph/trust-sandbox/identity"
import { type IdentityPerson, visitIdentityProvider } from "@paraph/trust-sandbox/identity-person"
import { type Answer, type Api, call, type Json, type Version } from "./api.ts"
import { linkMailedTo } from "./mailbox.ts"
import { createRequest, FIVE, newAddress, uploadTo } from "./requests.ts"
import { type Service, type ServiceOptions, startService } from "./service.ts"
import { freePort } from "./settings.ts"
import { until } from "./until.ts"
import { enter, type Visitor } from "./visitor.ts"

export type Identifying = {
  readonly service: Service
  readonly provider: IdentitySandbox
  readonly close: () => Promise<void>
}

const CLIENT = { clientId: "paraph", clientSecret: "a secret of the client, and of ours" }

/** A service whose registry has the sandbox's provider as `demo_ident`, for a business that has express QES. */
export async function startIdentifying({
  kind = "demo",
  ...options
}: ServiceOptions & { readonly kind?: "demo" | "production" } = {}): Promise<Identifying> {
  const port = await freePort()
  const registry = registryOf(kind, `http://127.0.0.1:${port}`)
  const env = { IDENTIFICATION_REGISTRY_FILE: registry, IDENTIFICATION_ALLOWED_HOSTS: "127.0.0.1" }
  const service = await startService({ ...options, env: { ...env, ...options.env } })
  const redirectUris = [`${service.url}/identify/callback/${kind}/demo_ident`]
  const provider = await startIdentityProvider({
    port,
    now: () => new Date(),
    clients: [{ ...CLIENT, redirectUris }],
  })
  await setExpressQes(service, "on")
  return {
    service,
    provider,
    close: async () => {
      await service.close()
      await provider.close()
      rmSync(dirname(registry), { recursive: true })
    },
  }
}

/** A registry of one provider, in a folder of its own. */
export function registryOf(kind: "demo" | "production", issuer = "https://ident.invalid"): string {
  const folder = mkdtempSync(join(tmpdir(), "paraph-identification-"))
  writeFileSync(join(folder, "secret"), CLIENT.clientSecret)
  const row = {
    name: "demo_ident",
    title: "Demo Ident",
    kind,
    issuer,
    clientId: CLIENT.clientId,
    clientSecretFile: "secret",
    userInfoAlgorithm: "RS256",
    acrValues: [SANDBOX_ACR],
    trustFrameworks: [SANDBOX_FRAMEWORK],
  }
  writeFileSync(join(folder, "registry.json"), JSON.stringify([row]))
  return join(folder, "registry.json")
}

export const setExpressQes = ({ paraph, business }: Service, state: "on" | "off") =>
  paraph("admin", "set-feature", "--business", business, "--feature", "express_qes", `--${state}`)

/** Signed by a key of the signer's own, where the quality above asks for evidence whatever it is. */
export const QES = { quality: "QES", legislation: "ZERTES", signer: {} }

/** An OPEN request for one signer without an account, who has to be identified; SES with evidence unless said otherwise. */
export async function toIdentify({ caller }: Service, v: Exclude<Version, "v1">, more: Json = {}) {
  const email = newAddress("identified")
  const { signer = { identification_require_evidence: true }, ...terms } = more
  const created = await createRequest(caller, v, await uploadTo(caller, v), {
    signatures: [{ account_email: email, signer_identity_data: { ...FIVE, ...signer } }],
    ...terms,
  })
  if (created.status !== 200) throw new Error(`It answered ${created.status}: ${created.bytes}`)
  const { id, signatures } = created.body
  if (v === "v3") await caller.post(`/v3/signature-requests/${id}/initiate`, undefined)
  const [{ sid, signer_identity_data: data }] = signatures
  const evidenceId: string = data.evidence_id
  return { id: id as string, sid: sid as string, email, data, evidenceId, at: pathOf(v, id, evidenceId) }
}

export const pathOf = (v: string, id: string, evidenceId: string): string =>
  `/${v}/signature-requests/${id}/identifications/${evidenceId}`

export const visitorOf = async (service: Service, email: string): Promise<Visitor> =>
  enter(service, await linkMailedTo(email))

export const ADA: IdentityPerson = { givenName: "Ada Augusta", familyName: "Lovelace" }

export type Going = { readonly url: string; readonly cookie: string }

/** Presses the button that leads to the provider. */
export async function beginAs(visitor: Visitor): Promise<Going> {
  const answer = await visitor.post("/signature/identify")
  if (answer.status !== 200) throw new Error(`The beginning answered ${answer.status}: ${answer.bytes}`)
  const held = answer.headers.getSetCookie().map((set) => /^[^;]+/.exec(set)?.[0] ?? "")
  return { url: answer.body.url, cookie: [visitor.cookie, ...held].join("; ") }
}

/** Comes back to us with what the provider gave the browser. */
export const comeBackTo = ({ url }: Service, back: URL, cookie: string): Promise<Answer> =>
  call(url, "GET", back.pathname + back.search, undefined, { cookie })

/** There, identified or not, and back. */
export async function identifyAs(
  service: Service,
  visitor: Visitor,
  person: IdentityPerson = ADA,
): Promise<Answer> {
  const { url, cookie } = await beginAs(visitor)
  return comeBackTo(service, await visitIdentityProvider(url, person), cookie)
}

export const identificationStatus = async (caller: Api, at: string): Promise<Json> =>
  (await caller.get(`${at}/status`)).body

/** Waits for it, but not where it has ended otherwise. */
export const comesToStatus = (caller: Api, at: string, status: string): Promise<Json> =>
  until(`it is ${status}`, async () => {
    const is = await identificationStatus(caller, at)
    if (is.status !== status && ["ACCEPTED", "REJECTED"].includes(is.status))
      throw new Error(`It is ${is.status} (${is.reason}), not ${status}.`)
    return is.status === status && is
  })
