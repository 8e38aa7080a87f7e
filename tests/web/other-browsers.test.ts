import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startFirefox } from "../service/firefox.ts"
import { judge, pdfsigOf } from "../service/judges.ts"
import { inkOf } from "../service/looks.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { drag, type Point, press, sees, seesHeading, type Tab, type } from "../service/tab.ts"
import { until } from "../service/until.ts"
import { startWebKit } from "../service/webkit.ts"

const PHONE = { width: 390, height: 844 }

/** It has come, and the browser can draw it: there is something dark on the paper. */
const A_PAGE_CAN_BE_READ = `(() => {
  const image = [...document.images].find(({ complete, naturalWidth }) => complete && naturalWidth > 300)
  if (image === undefined) return false
  const canvas = Object.assign(document.createElement("canvas"), { width: 200, height: 283 })
  const context = canvas.getContext("2d")
  context.drawImage(image, 0, 0, 200, 283)
  return context.getImageData(0, 0, 200, 283).data.some((value) => value < 128)
})()`
const BOX_OF_CANVAS = `(() => {
  const canvas = document.querySelector("canvas")
  canvas.scrollIntoView({ block: "center", behavior: "instant" })
  return canvas.getBoundingClientRect().toJSON()
})()`
const INK_ON_CANVAS = `(() => {
  const canvas = document.querySelector("canvas")
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
  return data.filter((value, place) => place % 4 === 3 && value > 0).length
})()`

describe("in the browsers that many have at hand", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(async () => {
    await service?.close()
  })

  const invite = async (visual_signature?: object) => {
    const signer = newAddress("engine")
    const { status, body } = await service.caller.post("/v2/signature-requests", {
      title: "Rental agreement",
      content: contractPdf("Read me.", 3).toString("base64"),
      signatures: [{ account_email: signer, ...(visual_signature && { visual_signature }) }],
    })
    expect(status, JSON.stringify(body)).toBe(200)
    return { id: body.id as string, link: await linkMailedTo(signer) }
  }
  const signedPdf = async (id: string): Promise<Buffer> => {
    const { document_id } = await until("the request is signed", async () => {
      const { body } = await service.caller.get(`/v2/signature-requests/${id}`)
      return body.status_overall === "SIGNED" && body
    })
    return (await service.caller.get(`/v2/documents/${document_id}/content`)).bytes
  }

  describe.each([
    ["WebKit", startWebKit],
    ["Firefox", startFirefox],
  ] as const)("%s", (_, start) => {
    let tab: Tab
    beforeAll(async () => {
      tab = await start(PHONE)
    })
    afterAll(() => tab?.close())

    const open = async (link: string) => {
      await tab.goto(link)
      await press(tab, "Open document")
      await sees(tab, "the first page can be read", A_PAGE_CAN_BE_READ)
      expect(await tab.read("location.pathname")).toBe("/app/")
    }

    const typeName = async (name: string) => {
      await press(tab, "Your name")
      await type(tab, name)
      await sees(
        tab,
        `${name} stands in the field`,
        `document.querySelector("#name").value === ${JSON.stringify(name)}`,
      )
    }

    it("a signer opens the door, reads, places and types the signature, signs, and is told so", async () => {
      const { id, link } = await invite()
      await open(link)
      await press(tab, "More choices")
      await press(tab, "Move the signature …")
      await press(tab, "Place it here")
      await press(tab, "Continue to sign")
      await typeName("Zoë Łoś")
      await press(tab, "Use this signature")
      await press(tab, "Sign")
      await seesHeading(tab, "You signed")
      const pdf = await signedPdf(id)
      expect((await judge(pdf)).pdfsig).toEqual(["Signature is Valid."])
      await mustHaveInk(pdf, { page: 2 })
    })

    it("one who draws by hand sees the ink, and finds it in the field of the finished PDF", async () => {
      const position = { page: "0", x: 300, y: 120, width: 200, height: 70 }
      const { id, link } = await invite({ position })
      await open(link)
      await press(tab, "Continue to sign")
      await press(tab, "Draw")
      await sees(tab, "there is a sheet to draw on", `document.querySelector("canvas")?.width > 300`)
      await drag(tab, waves((await tab.read(BOX_OF_CANVAS)) as Box))
      expect(await tab.read(INK_ON_CANVAS)).toBeGreaterThan(100)
      await press(tab, "Use this signature")
      await typeName("Ada Lovelace")
      await press(tab, "Sign")
      await seesHeading(tab, "You signed")
      const pdf = await signedPdf(id)
      expect(await pdfsigOf(pdf)).toEqual(["Signature is Valid."])
      await mustHaveInk(pdf, { page: 0 })
    })
  })
})

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

const waves = ({ x, y, width, height }: Box): Point[] =>
  Array.from({ length: 20 }, (_, step) => ({
    x: x + width * (0.1 + step / 25),
    y: y + height * (0.5 + 0.3 * Math.sin(step)),
  }))

/** Something stands lower on the page than the words that it was sent with. */
async function mustHaveInk(pdf: Buffer, { page }: { readonly page: number }): Promise<void> {
  const before = await inkOf(contractPdf("Read me.", 3), page)
  expect((await inkOf(pdf, page)).bottom).toBeGreaterThan(before.bottom + 0.3)
}
