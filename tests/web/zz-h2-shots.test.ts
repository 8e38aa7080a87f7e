// @ts-nocheck
import { writeFileSync } from "node:fs"
import { it } from "vitest"
import { createRequire } from "node:module"
import { readFileSync } from "node:fs"
// @ts-nocheck
import { startBrowser, openLink, SMALL_PHONE, PHONE } from "../service/browser.ts"
import { linkIn, mailsComeTo } from "../service/mailbox.ts"
import { memberApi } from "../service/members.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { startService } from "../service/service.ts"

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const OUT = "/tmp/h2shots"
it("shots", async () => {
  const service = await startService()
  const browser = await startBrowser()
  try {
    const owner = await memberApi(service, "owner")
    const maker = await browser.newPage({ viewport: { width: 1200, height: 120 } })
    await maker.setContent(`<body style="margin:0;background:transparent"><svg width="1200" height="120" xmlns="http://www.w3.org/2000/svg"><circle cx="60" cy="60" r="46" fill="#0f766e"/><path d="M30 70 Q60 20 90 70" stroke="#fff" stroke-width="9" fill="none"/><text x="125" y="76" font-family="Georgia" font-size="52" fill="#134e4a">Nordwind Immobilien und Verwaltung</text></svg>`)
    const logo = await maker.screenshot({ omitBackground: true })
    await maker.close()
    console.log("logo", (await owner.put("/v3/settings/logo", logo, { "content-type": "image/png" })).status)
    console.log("patch", (await owner.patch("/v3/settings", { branding: { accent: "#767676", sender_name: "Nordwind Contracts" } })).status)
    for (const shape of ["wide", "square"] as const) {
      if (shape === "square") {
        const two = await browser.newPage({ viewport: { width: 300, height: 300 } })
        await two.setContent('<body style="margin:0;background:#c2410c"><h1 style="color:white;font:200px serif;text-align:center;margin:20px">N</h1>')
        await owner.put("/v3/settings/logo", await two.screenshot(), { "content-type": "image/png" })
        await two.close()
      }
      for (const [name, options] of [["small", SMALL_PHONE], ["phone", PHONE]] as const) {
        const who = newAddress("signer")
        await sentTo(service.caller, "v2", [who], { message: "Hello" })
        const [mail] = await mailsComeTo(who)
        const link = linkIn(mail) ?? ""
        const axe = async (page: any, what: string) => {
          await page.evaluate(AXE); const { violations } = (await page.evaluate("axe.run()")) as any
          if (violations.length) console.log("AXE", what, shape, name, JSON.stringify(violations.map((v: any) => [v.id, v.nodes.map((n: any) => n.html.slice(0, 120))])))
          console.log("FITS", what, shape, name, await page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
        }
        const context = await browser.newContext({ locale: "en", ...options })
        const door = await context.newPage()
        await door.goto(link)
        await door.waitForLoadState("networkidle")
        await door.screenshot({ path: `${OUT}/door-${shape}-${name}.png` })
        await axe(door, "door")
        const page = await openLink(browser, link, { ...options })
        await page.waitForTimeout(1500)
        await page.screenshot({ path: `${OUT}/read-${shape}-${name}.png` })
        await axe(page, "read")
        await page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        await page.waitForTimeout(500)
        await page.screenshot({ path: `${OUT}/read-end-${shape}-${name}.png` })
        const letter = await context.newPage()
        const html = (mail?.html ?? "").replace(/src="cid:[^"]*"/, `src="data:image/png;base64,${(await owner.get("/v3/settings/logo")).bytes.toString("base64")}"`)
        await letter.setContent(html)
        await letter.screenshot({ path: `${OUT}/mail-${shape}-${name}.png`, fullPage: true })
        await context.close()
      }
    }
    writeFileSync(`${OUT}/done`, "")
  } finally {
    await browser.close()
    await service.close()
  }
}, 400_000)
