import type { Api, Json } from "./api.ts"
import { type Received, type Receiver, type Reply, startReceiver } from "./receiver.ts"
import { FIVE, openRequest, uploadTo } from "./requests.ts"
import { until } from "./until.ts"

export const codeIn = (text: string): string => /^(\d{6}) /.exec(text)?.[1] ?? ""

/** A request for somebody who is known by identity data alone: no e-mail address, and a number. */
export async function bySms(
  api: Api,
  v: "v1" | "v2" | "v3",
  mobile_number: string,
  more: { readonly signer?: object; readonly request?: object } = {},
): Promise<{ readonly url: string; readonly sid: string; readonly request: Json }> {
  const signatures = [{ signer_identity_data: { ...FIVE, mobile_number }, ...more.signer }]
  const request = await openRequest(api, v, await uploadTo(api, v), { signatures, ...more.request })
  const [{ signing_url: url, sid }] = request.signatures
  return { url, sid, request }
}

/** What was kept of the text messages of a demo request, the oldest first. */
export const capturedSms = (api: Api, requestId: string, count = 1): Promise<readonly Json[]> =>
  until(`${count} text messages of the test are kept`, async () => {
    const { body } = await api.get(`/v3/mails?signature_request_id=${requestId}`)
    const kept = body.filter(({ channel, state }: Json) => channel === "SMS" && state === "SENT")
    if (kept.length < count) return null
    const whole = await Promise.all(kept.map(async ({ id }: Json) => (await api.get(`/v3/mails/${id}`)).body))
    return whole.toReversed()
  })

export type Texted = {
  readonly to: string
  readonly text: string
  readonly reference: string
  readonly from?: string
}

export type Gateway = Receiver & {
  /** The settings of a service that sends by it, to Switzerland and Liechtenstein. */
  readonly env: Readonly<Record<string, string>>
  readonly texted: () => readonly Texted[]
}

/** An operator's SMS gateway, over https. */
export async function startSmsGateway(
  answer: (sms: Texted, request: Received) => Reply = () => ({
    status: 202,
    body: Buffer.from('{"id":"g-1"}'),
  }),
): Promise<Gateway> {
  const read = (request: Received) => JSON.parse(request.text) as Texted
  const receiver = await startReceiver((request) => answer(read(request), request))
  return {
    ...receiver,
    env: {
      SMS_URL: `${receiver.url}/messages`,
      SMS_TOKEN: "a-token-of-the-tests",
      SMS_SENDER: "Paraph",
      SMS_COUNTRIES: "+41,+423,!+4190",
      SMS_ALLOWED_HOSTS: "localhost",
    },
    texted: () => receiver.received.map(read),
  }
}
