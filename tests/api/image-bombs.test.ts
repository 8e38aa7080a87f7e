import { deflateSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { imageBombs } from "../../packages/gateways/src/testing/image-bombs.ts"
import type { Api } from "../service/api.ts"
import { memberApi } from "../service/members.ts"
import { contractPdf } from "../service/pdf.ts"
import { block } from "../service/pictures.ts"
import { type Service, startService } from "../service/service.ts"
import { addBusiness, addUser } from "../service/users.ts"

const content = contractPdf().toString("base64")
/** Those that cost a reader of pictures the most. */
const USED = ["JBIG2", "a CCITT", "a Flate", "LZW", "JPEG 2000 picture of a million"]

describe("pictures that unpack to hundreds of megabytes", () => {
  let service: Service
  let attacker: Api
  beforeAll(async () => {
    service = await startService({ worker: false, validation: true })
    attacker = await addUser(service, "attacker", { business: await addBusiness(service, "Attacker AG") })
  }, 300_000)
  afterAll(() => service?.close())

  it("are answered at upload, when a page is drawn and in a validation, and another business is served meanwhile", async () => {
    const bombs = Object.entries(imageBombs()).filter(([name]) => USED.some((each) => name.includes(each)))
    expect(bombs).toHaveLength(USED.length)
    let isOver = false
    const attack = Promise.all(
      bombs.map(([name, bomb]) => sendBomb(name, Buffer.from(bomb).toString("base64"))),
    )
    const attacked = attack.finally(() => {
      isOver = true
    })
    const served: number[] = []
    while (!isOver)
      served.push((await service.caller.post("/v3/documents", { title: "Lease", content })).status)
    const answers = (await attacked).flat()
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(new Set(served)).toEqual(new Set([200]))
    expect((await service.caller.get("/management/health")).status).toBe(200)
  }, 300_000)

  async function sendBomb(name: string, bomb: string) {
    const uploaded = await attacker.post("/v3/documents", { title: name, content: bomb })
    const validated = await attacker.post("/validation/v1/validate/document", { content: bomb })
    const drawn =
      uploaded.status === 200
        ? [(await attacker.get(`/v3/documents/${uploaded.body.id}/pages/0?scale=100`)).status]
        : []
    return [uploaded.status, validated.status, ...drawn].map((status) => ({ name, status }))
  }

  it("are refused as the logo of a business", async () => {
    const owner = await memberApi(service, "owner")
    for (const [width, height] of [
      [160_000, 160_000],
      [16_000_000, 1],
    ] as const) {
      const picture = { "content-type": "image/png" }
      expect((await owner.put("/v3/settings/logo", pngHead(width, height), picture)).status).toBe(400)
    }
    const logo = block(40, 40, [0, 80, 120])
    expect((await owner.put("/v3/settings/logo", logo, { "content-type": "image/png" })).status).toBe(204)
  })
})

/** A head that promises more than there is. */
function pngHead(width: number, height: number): Buffer {
  const whole = block(1, 1, [0, 0, 0])
  whole.writeUInt32BE(width, 16)
  whole.writeUInt32BE(height, 20)
  return Buffer.concat([whole.subarray(0, 33), deflateSync(Buffer.alloc(100)), whole.subarray(33)])
}
