import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { addMember, operatorOf, type Person } from "../service/account.ts"
import { startBrowser } from "../service/browser.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { openConsole } from "./console-page.ts"

let service: Service
let browser: Browser
let olga: Person
beforeAll(async () => {
  service = await startService()
  browser = await startBrowser()
  olga = (await operatorOf(service, newAddress("olga"))).operator
  await addMember(service, newAddress("somebody-with-a-long-address"))
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

it("an operator agrees on credits with a business, at a desk and on a phone", async () => {
  const path = `/console/operator/businesses/${service.business}`
  const page = await openConsole(browser, service, olga, path)
  const form = page.getByRole("form", { name: "Credits" })
  await form.getByLabel("Credits per validation").fill("many")
  await form.getByText("A whole number, such as 100.").waitFor()
  await form.getByLabel("Credits per validation").fill("3")
  await form.getByLabel("At most so many credits a month").check()
  await form.getByLabel("Credits a month", { exact: true }).fill("250")
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0)
  await form.getByRole("button", { name: "Save" }).click()
  await until("it is agreed", async () => {
    const { body } = await olga.get(`/app/api/operator/businesses/${service.business}`)
    return body.credits.price === 3 && body.credits.included === 250
  })
  await page.getByRole("link", { name: "Audit log" }).click()
  await page.getByText("Changed what is agreed on credits").first().waitFor()
  await page.context().close()
})
