import type { Browser } from "playwright-core"
import { type Api, createApi, type Json } from "../service/api.ts"
import { startBrowser } from "../service/browser.ts"
import { linkIn, mailsTo } from "../service/mailbox.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { writeContract } from "./contract.ts"

export const TITLE = "Rental agreement Bahnhofstrasse 12"
export const ADA = "ada.lovelace@example.org"

/** A business that sends real contracts, and the browser of whoever signs them. */
export type Office = {
  readonly service: Service
  readonly browser: Browser
  readonly business: string
  readonly api: Api
  /** A request that is under way, and the link that was mailed to ADA for it. */
  readonly send: (more?: object, pages?: number) => Promise<{ readonly id: string; readonly link: string }>
  readonly upload: (title?: string, pages?: number) => Promise<string>
  readonly close: () => Promise<void>
}

export async function openOffice(): Promise<Office> {
  const service = await startService()
  const browser = await startBrowser()
  const username = "acme-immobilien"
  const { business = "" } = await service.paraph("admin", "create-business", "--name", "Acme Immobilien AG")
  await service.paraph("admin", "create-user", "--business", business, "--username", username)
  await service.paraph("admin", "set-feature", "--business", business, "--feature", "expires_at", "--on")
  const key = await service.paraph("admin", "create-key", "--user", username, "--kind", "production")
  const api = await createApi(service.url, username, key["api-key"] ?? "")
  const upload = async (title = `${TITLE}.pdf`, pages = 3) =>
    mustBeTaken(await api.post("/v3/documents", { title, content: writeContract(pages).toString("base64") }))
      .id
  const send = async (more: object = {}, pages = 3) => {
    const before = (await mailsTo(ADA)).filter(linkIn).length
    const { id } = mustBeTaken(
      await api.post("/v3/signature-requests", {
        title: TITLE,
        message: "Dear Ms Lovelace,\nplease sign by the end of the month. The keys are waiting for you.",
        documents: [{ id: await upload(undefined, pages) }],
        signatures: [{ account_email: ADA }],
        ...more,
      }),
    )
    mustBeTaken(await api.post(`/v3/signature-requests/${id}/initiate`, undefined))
    return { id, link: await linkAfter(before) }
  }
  const close = async () => {
    await browser.close()
    await service.close()
  }
  return { service, browser, business, api, send, upload, close }
}

const linkAfter = (count: number): Promise<string> =>
  until("the invitation comes", async () => (await mailsTo(ADA)).flatMap((mail) => linkIn(mail) ?? [])[count])

function mustBeTaken({ status, body }: { readonly status: number; readonly body: Json }): Json {
  if (status !== 200) throw new Error(`The service answered ${status}: ${body.message}`)
  return body
}
