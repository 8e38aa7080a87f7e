import { linkMailedTo } from "../mailbox.ts"
import { newAddress, sentTo } from "../requests.ts"
import { enter, type Visitor } from "../visitor.ts"
import { type Actor, ALIVE, nothing, webRules, withoutToken } from "./actors.ts"
import type { CanaryKind } from "./canaries.ts"
import type { Scene } from "./world.ts"

/** The cookie, and the signature that the page shows, which a change has to name. */
export const signerHeaders = async ({ cookie, view }: Visitor): Promise<Actor["headers"]> => ({
  cookie,
  "paraph-signature": (await view()).signature,
})

/** Signers' sessions, which were opened by a link or a preview and act on one signature. */
export async function signingActors({
  service,
  victims,
  names,
  production,
}: Scene): Promise<readonly Actor[]> {
  const { open } = victims.production
  const own = (kind: CanaryKind) =>
    (["open request", "open documents", "open attachment"] as CanaryKind[]).includes(kind)
  const signing = { mode: "production", isInsider: true, mayCall: withoutToken, alive: ALIVE.signer } as const
  const signer = await enter(service, await linkMailedTo(names.signer))
  const preview = await enter(service, open.previewUrl)
  const email = newAddress("another-signer")
  await sentTo(production, "v3", [email])
  const another = await enter(service, await linkMailedTo(email))
  return [
    {
      ...{ ...signing, name: "a signer of the same request", headers: await signerHeaders(signer) },
      ...{ mayUse: webRules("signer", "reader"), mayKnow: own },
    },
    {
      ...{ ...signing, name: "the preview of the same request", headers: await signerHeaders(preview) },
      ...{ mayUse: webRules("signer", "reader"), mayKnow: own },
    },
    {
      ...{
        ...signing,
        name: "a signer of another request of the business",
        headers: await signerHeaders(another),
      },
      ...{ mayUse: webRules("signer"), mayKnow: nothing },
    },
  ]
}
