import { API, addMember, type Person, person } from "./account.ts"
import { type Answer, call, type Json } from "./api.ts"
import { type PasskeyHolder, passkeyHolder } from "./release.ts"
import { newAddress } from "./requests.ts"
import type { Service } from "./service.ts"

/** Longer than a new factor is held. */
const AGE_MS = 73 * 3_600_000

export const PASSPORT = { first_name: "Anna", last_name: "Muster", document: "PASSPORT" }

/** An account whose passkey was added more than 72 hours ago. */
export async function agedHolder(service: Service, email: string, name: string): Promise<PasskeyHolder> {
  service.moveClock(-AGE_MS)
  try {
    return await passkeyHolder(service, email, name)
  } finally {
    service.moveClock(0)
  }
}

/** Logs in with the passkey, in a browser of its own. */
export async function loggedInByPasskey(
  { url }: Service,
  { passkey }: Pick<PasskeyHolder, "passkey">,
): Promise<Person> {
  const who = person(url)
  const { body } = await who.post(`${API}/login/passkey/options`)
  const proof = { step: body.step, response: passkey.logIn(body.options) }
  const done = await who.post(`${API}/login/passkey/verify`, proof)
  if (done.status !== 200) throw new Error(`The passkey was refused: ${done.bytes}`)
  return who
}

/** Vouches for the first signer of a production request. */
export async function vouchAs(
  { url, business: businessId }: Service,
  who: Person,
  { id, signatures }: Json,
  body: object = PASSPORT,
): Promise<Answer> {
  const { body: token } = await who.post(`${API}/token`, { businessId, kind: "production" })
  const path = `/v3/signature-requests/${id}/signatures/${signatures[0].sid}/vouch`
  return call(url, "PUT", path, body, { authorization: `Bearer ${token.token}` })
}

/** The business may vouch; `email` is a member with a passkey of more than 72 hours, who needs write access to the request. */
export async function newVoucher(service: Service) {
  const email = newAddress("voucher")
  await addMember(service, email)
  const holder = await agedHolder(service, email, "Bob Berger")
  await service.paraph(
    "admin",
    "set-feature",
    "--business",
    service.business,
    "--feature",
    "vouching",
    "--on",
  )
  return {
    email,
    holder,
    vouchFor: async (request: Json, first_name: string, last_name: string): Promise<void> => {
      const who = await loggedInByPasskey(service, holder)
      const answer = await vouchAs(service, who, request, { ...PASSPORT, first_name, last_name })
      if (answer.status !== 200) throw new Error(`Vouching answered ${answer.status}: ${answer.bytes}`)
    },
  }
}
