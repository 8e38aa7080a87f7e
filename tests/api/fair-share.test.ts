import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { doubleFlateBomb, manyPages } from "../bench/flood-pdfs.ts"
import type { Answer, Api } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { addBusiness, addUser } from "../service/users.ts"

describe("a flood of uploads by one business", () => {
  let service: Service
  let neighbour: Api
  // The scanner would spend more than a second of CPU time on it.
  const bomb = doubleFlateBomb(200_000_000)
  beforeAll(async () => {
    service = await startService({ worker: false })
    const business = await addBusiness(service, "Neighbour AG")
    neighbour = await addUser(service, "neighbour", { business })
  })
  afterAll(() => service?.close())

  const upload = (api: Api, file: Buffer, version = "v2") =>
    api.post(`/${version}/documents`, { title: "Flood", content: file.toString("base64") })

  /** How many of the flood were answered when the neighbour's upload was. */
  async function besideFlood(file: Buffer, count: number) {
    let answered = 0
    const flood: Promise<Answer>[] = Array.from({ length: count }, async () => {
      const answer = await upload(service.caller, file)
      answered += 1
      return answer
    })
    const theirs = await upload(neighbour, contractPdf("Theirs."))
    const answeredBefore = answered
    return { theirs, answeredBefore, flood: await Promise.all(flood) }
  }

  it("[B4] of decompression bombs is refused, and another business's upload overtakes most of it", async () => {
    const { theirs, answeredBefore, flood } = await besideFlood(bomb, 32)
    expect(theirs.status).toBe(200)
    expect(flood.map(({ status }) => status)).toEqual(Array(32).fill(400))
    expect(answeredBefore).toBeLessThan(24)
  })

  it("[B4] names the reason to callers of v3, and keeps the key of the contract in v1 and v2", async () => {
    for (const version of ["v1", "v2"]) {
      const { status, body } = await upload(service.caller, bomb, version)
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("file.pdf.general_error")])
    }
    const { status, body } = await upload(service.caller, bomb, "v3")
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining("decode to more than 20 MB"),
    ])
  })

  it("[B4] of documents with very many pages is refused before they are rendered or scanned", async () => {
    const { theirs, flood } = await besideFlood(manyPages(20_001), 4)
    expect(theirs.status).toBe(200)
    for (const { status, body } of flood)
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("file.pdf.general_error")])
  })
})
