import type { Browser, CDPSession, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { inkOnCanvas, openLink, PHONE, pressSign, SMALL_PHONE, startBrowser } from "../service/browser.ts"
import { pdfsigOf } from "../service/judges.ts"
import { inkOf } from "../service/looks.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

const FIELD = { page: "0", x: 100, y: 100, width: 300, height: 100 }

describe("a finger on the glass", () => {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    service = await startService()
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  const invite = async () => {
    const signer = newAddress("finger")
    const { body } = await service.caller.post("/v2/signature-requests", {
      title: "Rental agreement",
      content: contractPdf("Read me.").toString("base64"),
      signatures: [{ account_email: signer, visual_signature: { position: FIELD } }],
    })
    return { id: body.id as string, link: await linkMailedTo(signer) }
  }
  const signedPdf = async (id: string): Promise<Buffer> => {
    const { document_id } = await until("the request is signed", async () => {
      const { body } = await service.caller.get(`/v2/signature-requests/${id}`)
      return body.status_overall === "SIGNED" && body
    })
    return (await service.caller.get(`/v2/documents/${document_id}/content`)).bytes
  }

  it.each([
    ["390 × 844", PHONE],
    ["320 × 568", SMALL_PHONE],
  ] as const)(
    "that draws while the phone of %s is turned loses nothing of the stroke, and can draw on",
    async (_, options) => {
      const { id, link } = await invite()
      const page = await openLink(browser, link, options)
      const finger = await page.context().newCDPSession(page)
      await page.getByRole("button", { name: "Continue to sign" }).tap()
      await page.getByRole("tab", { name: "Draw" }).tap()
      await settled(page)

      await stroke(page, finger, [0.1, 0.3])
      const first = await inkOnCanvas(page)
      expect(first).toBeGreaterThan(50)
      const lift = await begin(page, finger, [0.4, 0.6])
      const before = await inkOnCanvas(page)
      expect(before).toBeGreaterThan(first)

      await turn(page)
      const place = await inkPlaces(page)
      // Both strokes, as far into the wider sheet as they were into the narrow one.
      expect(place.left).toBeCloseTo(0.1, 1)
      expect(place.right).toBeCloseTo(0.6, 1)
      await lift()

      await stroke(page, finger, [0.7, 0.9])
      expect((await inkPlaces(page)).right).toBeCloseTo(0.9, 1)
      await turn(page)
      const back = await inkPlaces(page)
      expect([back.left, back.right]).toEqual([expect.closeTo(0.1, 1), expect.closeTo(0.9, 1)])

      // Three strokes, each of which can be taken back by itself.
      await page.getByRole("button", { name: "Undo" }).tap()
      expect((await inkPlaces(page)).right).toBeCloseTo(0.6, 1)
      await page.getByRole("button", { name: "Undo" }).tap()
      expect((await inkPlaces(page)).right).toBeCloseTo(0.3, 1)
      await stroke(page, finger, [0.4, 0.9])

      await page.getByRole("button", { name: "Use this signature" }).tap()
      await page.getByLabel("Your name").fill("Ada Lovelace")
      await pressSign(page)
      await page.getByRole("heading", { level: 1, name: /you signed/i }).waitFor()
      await page.context().close()
      const pdf = await signedPdf(id)
      expect(await pdfsigOf(pdf)).toEqual(["Signature is Valid."])
      expect((await inkOf(pdf, 0)).bottom).toBeGreaterThan((842 - FIELD.y - FIELD.height) / 842)
    },
  )
})

type Span = readonly [from: number, to: number]

/**
 * By touch events, as the glass sends them; from one share of the sheet's width to another. No faster than a finger, which
 * the glass reports once a frame: after an impossible flick Chromium takes the next tap for the hand that stops the flick.
 */
async function begin(page: Page, finger: CDPSession, [from, to]: Span): Promise<() => Promise<void>> {
  const box = await canvasBox(page)
  const touch = async (type: "touchStart" | "touchMove", share: number) => {
    const x = box.x + box.width * share
    const y = box.y + box.height * (0.5 + 0.25 * Math.sin(share * 30))
    await finger.send("Input.dispatchTouchEvent", { type, touchPoints: [{ x, y }] })
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
  }
  await touch("touchStart", from)
  for (let step = 1; step <= 12; step += 1) await touch("touchMove", from + ((to - from) * step) / 12)
  // It rests before it is lifted.
  for (let frame = 0; frame < 3; frame += 1) await touch("touchMove", to)
  return async () => {
    await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] })
  }
}

async function stroke(page: Page, finger: CDPSession, span: Span): Promise<void> {
  await (await begin(page, finger, span))()
}

async function canvasBox(page: Page) {
  const canvas = page.locator("canvas")
  await canvas.scrollIntoViewIfNeeded()
  const box = await canvas.boundingBox()
  if (box === null) throw new Error("There is no canvas to draw on.")
  return box
}

/** Turns the phone, and waits until the canvas has as many pixels as its new size asks for. */
async function turn(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await page.setViewportSize({ width: height, height: width })
  await until("the phone is turned", () => page.evaluate(`innerWidth === ${height}`))
  await settled(page)
}

const settled = (page: Page) =>
  until("the canvas has its size", () =>
    page.evaluate(`(() => {
      const { width, clientWidth } = document.querySelector("canvas") ?? {}
      return clientWidth > 0 && width === Math.floor(clientWidth * devicePixelRatio)
    })()`),
  )

/** How far from the left the ink begins and ends, of the sheet's width. */
async function inkPlaces(page: Page): Promise<{ readonly left: number; readonly right: number }> {
  return (await page.evaluate(`(() => {
    const canvas = document.querySelector("canvas")
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
    let [left, right] = [canvas.width, 0]
    for (let place = 3; place < data.length; place += 4) {
      if (data[place] === 0) continue
      const x = ((place - 3) / 4) % canvas.width
      left = Math.min(left, x)
      right = Math.max(right, x)
    }
    return { left: left / canvas.width, right: right / canvas.width }
  })()`)) as { left: number; right: number }
}
