import { API, type Person, registered } from "./account.ts"
import type { Answer } from "./api.ts"
import { newPasskey } from "./authenticator.ts"
import { linkMailedTo } from "./mailbox.ts"
import type { Service } from "./service.ts"
import { openSession, type Signer } from "./signer.ts"
import { until } from "./until.ts"

export type PasskeyHolder = { readonly who: Person; readonly passkey: ReturnType<typeof newPasskey> }

/** Somebody with an account of that address and a passkey in it. */
export async function passkeyHolder(
  { url }: Pick<Service, "url">,
  email: string,
  name = "Ada Lovelace",
): Promise<PasskeyHolder> {
  const who = await registered(url, email, name)
  const passkey = newPasskey(url)
  const { body } = await who.post(`${API}/passkeys/options`)
  const response = passkey.register(body.options)
  const kept = await who.post(`${API}/passkeys`, { step: body.step, response, name: "Phone" })
  if (kept.status !== 201) throw new Error(`The passkey was refused: ${kept.bytes}`)
  return { who, passkey }
}

export const RELEASE = "/signature/release"

/** Waits until everything is prepared and the person is asked; answers what is to be confirmed. */
export const askedToRelease = (session: Signer) =>
  until("the key is offered", async () => {
    const { body } = await session.view()
    return body.screen === "release" && body.release
  })

export async function releaseWith(
  session: Pick<Signer, "post">,
  { passkey }: Pick<PasskeyHolder, "passkey">,
): Promise<Answer> {
  const { body: options } = await session.post(`${RELEASE}/passkey/options`)
  return session.post(`${RELEASE}/passkey`, { response: passkey.logIn(options) })
}

/** Comes by the link of the mail, presses, and releases the key. */
export async function signAdvanced(service: Service, email: string, holder: PasskeyHolder): Promise<Signer> {
  const session = await openSession(service.url, await linkMailedTo(email))
  const pressed = await session.press("Somebody Else")
  if (pressed.status !== 202) throw new Error(`The press answered ${pressed.status}: ${pressed.bytes}`)
  await askedToRelease(session)
  const released = await releaseWith(session, holder)
  if (released.status !== 202) throw new Error(`The release answered ${released.status}: ${released.bytes}`)
  return session
}
