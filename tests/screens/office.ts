import type { Browser } from "playwright-core"
import { type Api, createApi, type Json } from "../service/api.ts"
import { startBrowser } from "../service/browser.ts"
import { linkIn, mailsTo } from "../service/mailbox.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { writeContract } from "./contract.ts"

export const TITLE = "Rental agreement Bahnhofstrasse 12"
export const ADA = "ada.lovelace@example.org"
const NAME = "Acme Immobilien AG"

/** A business that sends real contracts, and the browser of whoever signs them. */
export type Office = {
  readonly service: Service
  readonly browser: Browser
  readonly business: string
  readonly api: Api
  /** A request that is under way, and the link that was mailed to ADA for it. */
  readonly send: (more?: object, pages?: number) => Promise<{ readonly id: string; readonly link: string }>
  readonly upload: (name?: string, pages?: number) => Promise<string>
  readonly close: () => Promise<void>
}

export async function openOffice(): Promise<Office> {
  const [service, browser] = await Promise.all([startService({ validation: true }), startBrowser()])
  const username = "acme-immobilien"
  const { business = "" } = await service.paraph("admin", "create-business", "--name", NAME)
  await service.paraph("admin", "create-user", "--business", business, "--username", username)
  for (const feature of ["expires_at", "group_observers"])
    await service.paraph("admin", "set-feature", "--business", business, "--feature", feature, "--on")
  const key = await service.paraph("admin", "create-key", "--user", username, "--kind", "production")
  const api = await createApi(service.url, username, key["api-key"] ?? "")
  const upload = async (name = "Rental agreement", pages = 3) =>
    mustBeTaken(
      await api.post("/v3/documents", {
        title: `${name}.pdf`,
        content: writeContract(pages, name).toString("base64"),
      }),
    ).id
  const send = async (more: object = {}, pages = 3) => {
    const before = (await linksTo(service, ADA)).length
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
    return { id, link: await linkAfter(service, ADA, before) }
  }
  const close = async () => {
    await browser.close()
    await service.close()
  }
  return { service, browser, business, api, send, upload, close }
}

/** Of this service alone: the mailbox is shared with whoever ran before. */
export const linksTo = async ({ url }: Service, address: string): Promise<readonly string[]> =>
  (await mailsTo(address)).flatMap((mail) => linkIn(mail) ?? []).filter((link) => link.startsWith(url))

export const linkAfter = (service: Service, address: string, count = 0): Promise<string> =>
  until(`an invitation comes to ${address}`, async () => (await linksTo(service, address))[count])

export function mustBeTaken({ status, body }: { readonly status: number; readonly body: Json }): Json {
  if (status >= 300) throw new Error(`The service answered ${status}: ${body?.message}`)
  return body
}

/** A logo for the business, drawn by the browser that takes the pictures. */
export async function drawLogo(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 520, height: 120 } })
  await page.setContent(LOGO)
  const png = await page.screenshot({ omitBackground: true })
  await page.close()
  return png
}

const LOGO = `<body style="margin:0"><svg width="520" height="120" viewBox="0 0 520 120" fill="none" stroke="#0b5d5b" stroke-width="9"
  stroke-linejoin="round" stroke-linecap="round"><path d="M14 62 60 20l46 42M28 52v50h64V52M50 102V74h20v28"/>
  <text x="132" y="62" font-family="sans-serif" font-weight="700" font-size="46" fill="#0b5d5b" stroke="none">Acme</text>
  <text x="133" y="102" font-family="sans-serif" font-size="32" letter-spacing="2" fill="#0b5d5b" stroke="none">Immobilien</text></svg>`
