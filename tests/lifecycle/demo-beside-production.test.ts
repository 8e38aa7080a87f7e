import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { manyPages } from "../bench/flood-pdfs.ts"
import { type Api, createApi } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { newAddress, openRequest } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"

/** Pages of each PDF of the flood: an upload draws them all, and each signature reads them. */
const PAGES = 60
const FLOOD = 6

describe("a production signature beside a flood of demo signatures", () => {
  let service: Service
  let production: Api
  let flood: Api
  beforeAll(async () => {
    service = await startService({ worker: false })
    production = await createApi(service.url, service.username, service.productionKey)
    flood = await addUser(service, "flood", { business: await addBusiness(service, "Flood AG") })
  })
  afterAll(() => service?.close())

  const upload = async (api: Api, pdf: Buffer): Promise<string> => {
    const { status, body } = await api.post("/v2/documents", {
      title: "Contract",
      content: pdf.toString("base64"),
    })
    expect([status, body.message]).toEqual([200, undefined])
    return body.id
  }
  const openTo = async (api: Api, documentId: string) => {
    const email = newAddress("signer")
    const { id } = await openRequest(api, "v2", documentId, { signatures: [{ account_email: email }] })
    return { id: id as string, email }
  }
  const press = async ({ email }: { email: string }) => {
    const session = await openSession(service.url, await linkMailedTo(email))
    expect((await session.press("Ada Lovelace")).status).toBe(202)
  }
  const signedAt = async (ids: readonly string[]) => {
    const rows = await service.sql(
      `select data ->> 'requestId', extract(epoch from completed_on) from jobs.job
        where name = 'sign-document' and state = 'completed' and data ->> 'requestId' in ('${ids.join("','")}')
        order by completed_on`,
    )
    return rows.split("\n").filter((row) => row !== "")
  }

  it("[B5] is made before the third of the demo signatures that were pressed before it", async () => {
    const large = await upload(flood, manyPages(PAGES))
    const contract = await upload(production, contractPdf("A contract."))
    // The worker of the mails ends before anybody presses, so that all signatures wait when the next one starts.
    const mailing = await service.startWorker()
    const demo = []
    for (let n = 0; n < FLOOD; n += 1) demo.push(await openTo(flood, large))
    const one = await openTo(production, contract)
    await Promise.all([...demo, one].map(({ email }) => linkMailedTo(email)))
    await mailing.kill()
    for (const each of demo) await press(each)
    await press(one)
    await service.startWorker()

    // What is signed later does not matter, so nothing waits for it.
    const ids = [...demo, one].map(({ id }) => id)
    const place = await until("the contract is signed", async () => {
      const found = (await signedAt(ids)).findIndex((row) => row.startsWith(one.id))
      return found >= 0 && { found }
    })
    expect(place.found).toBeLessThan(2)
  })
})
