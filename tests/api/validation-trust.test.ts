import { X509Certificate } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { type Holder, newRoot } from "../../packages/validation/src/testing/keys.ts"
import { signList } from "../../packages/validation/src/testing/list-signer.ts"
import { CRITERIA, writeList } from "../../packages/validation/src/testing/list-writer.ts"
import { templateOf } from "../../scripts/stack/template.ts"
import { contractPdf } from "../service/pdf.ts"
import { type SealingService, startSealing } from "../service/sealing.ts"
import { until } from "../service/until.ts"
import { sealed, validate } from "../service/validation.ts"

const YEAR_MS = 365 * 86_400_000
const [LONG_AGO, SOON] = [new Date(Date.now() - 5 * YEAR_MS), new Date(Date.now() + YEAR_MS)]
const EITHER = CRITERIA.list(
  "atLeastOne",
  CRITERIA.keyUsage({ digitalSignature: true }),
  CRITERIA.keyUsage({ nonRepudiation: true }),
)

describe("trusted lists", () => {
  let service: SealingService
  let signed: Buffer
  let server: Server
  let operator: Holder
  let list: Uint8Array
  let asked = 0
  const folder = mkdtempSync(join(tmpdir(), "paraph-lists-"))

  /** A member state says that the authority of demo issues qualified certificates for seals, in a device. */
  const listOf = (sequenceNumber: number, status = "granted") => {
    const root = new X509Certificate(readFileSync(templateOf(inject("stackDir")).rootFiles.demo ?? ""))
    const qualifiers = ["QCStatement", "QCForESeal", "QCWithQSCD"]
    const authority = {
      name: "Qualified certificates",
      type: "CA/QC",
      status,
      from: LONG_AGO,
      certificates: [new Uint8Array(root.raw)],
      uses: ["ForeSeals"],
      qualifications: [{ qualifiers, criteria: EITHER }],
    }
    const providers = [{ name: "Provider", services: [authority] }]
    const issued = new Date(Date.now() - 86_400_000)
    const order = { sequenceNumber, territory: "AT", issued, nextUpdate: SOON, providers }
    return signList(writeList(order), { signer: operator })
  }

  beforeAll(async () => {
    operator = await newRoot({ name: "Operator of AT", country: "AT" })
    list = listOf(1)
    server = createServer((_, response) => {
      asked += 1
      response.end(list)
    }).listen(0, "localhost")
    await once(server, "listening")
    const address = `http://localhost:${(server.address() as AddressInfo).port}/tl.xml`
    const der = Buffer.from(operator.certificate.der).toString("base64")
    const pem = `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`
    writeFileSync(join(folder, "signers.pem"), pem)
    const rows = [{ law: "EU", form: "list", address, signersFile: "signers.pem" }]
    writeFileSync(join(folder, "lists.json"), JSON.stringify(rows))
    service = await startSealing({
      validation: true,
      env: {
        TRUSTED_LISTS_FILE: join(folder, "lists.json"),
        TRUSTED_LISTS_ALLOWED_HOSTS: "localhost",
        TRUSTED_LISTS_HOURS: "1",
      },
    })
    signed = await sealed(service.caller, contractPdf("Sealed."))
  }, 300_000)
  afterAll(async () => {
    server?.close()
    await service?.close()
    rmSync(folder, { recursive: true })
  })

  const version = () => service.sql("select version from trusted_list_look")

  it("[VAL-03] give a signature its quality and its law; a worker fetches them, and who validates asks nobody", async () => {
    await until("a worker has fetched it", async () => (await version()) === "1")
    // Heard of within a minute.
    service.moveClock(61_000)
    const { body } = await validate(service.caller, signed, "quality=QES&legislation=EU&infos=signer")
    expect(body).toMatchObject({ valid: true, quality: "QES", legislation: "EU" })
    expect(body.additionalInfos.signer[0]).toMatchObject({ quality: "QES", legislation: "EU" })
    expect((await validate(service.caller, signed, "legislation=CH")).body.valid).toBe(false)
    expect(asked).toBe(1)
    service.moveClock(0)
  })

  it("one that somebody else has signed, or an older one, is not believed, and what was known goes on to count", async () => {
    const known = list
    const stranger = await newRoot({ name: "Somebody else", country: "AT" })
    const forged = signList(
      writeList({ sequenceNumber: 9, territory: "AT", issued: LONG_AGO, nextUpdate: SOON }),
      { signer: stranger },
    )
    for (const [hours, wrong] of [forged, listOf(0), Buffer.from("<html/>")].entries()) {
      const before = asked
      list = wrong
      await service.sql("update trusted_list_look set problems = '[]'")
      service.moveClock((hours + 1) * 3_600_000 + 60_000)
      await until("it was looked for again", () => asked > before)
      await until(
        "and judged",
        async () => (await service.sql("select jsonb_array_length(problems) from trusted_list_look")) !== "0",
      )
      expect(await version()).toBe("1")
      const kept = await service.sql("select encode(bytes, 'base64') from trusted_list")
      expect(Buffer.from(kept, "base64").equals(known)).toBe(true)
    }
    service.moveClock(0)
  })
})
