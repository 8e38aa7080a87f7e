import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { codesFrom } from "./codes.ts"
import { startMailbox } from "./mailbox.ts"
import { openMails } from "./mailbox-store.ts"
import { asReceived, bringingTexts, type TextMessage } from "./text-messages.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-texts-"))
afterAll(() => rmSync(folder, { recursive: true }))

const text = (id: string, code: string): TextMessage => ({
  id,
  to: "+41790000000",
  text: `${code} is your code.`,
})
const ONE = text("1", "111111")
const TWO = text("2", "222222")

describe("text messages that never left the service", () => {
  it("are shown on the page of all messages, without anybody asking the service by hand", async () => {
    const mailbox = await startMailbox({ smtpPort: 0, httpPort: 0, file: join(folder, "shown.jsonl") })
    const page = async () => (await fetch(mailbox.url)).text()
    expect(await page()).toContain("No message yet.")
    mailbox.bringBefore(bringingTexts(mailbox.mails, async () => [ONE]))
    expect(await page()).toContain("Text message to +41790000000")
    const asked = await fetch(`${mailbox.url}/mails.json`)
    expect(await asked.json()).toMatchObject([{ to: ["+41790000000"], text: "111111 is your code." }])
    mailbox.bringBefore(() => Promise.reject(new Error("The service is not up.")))
    expect(await page()).toContain("Text message to")
    await mailbox.close()
  })

  it("are brought once each, also after a restart and by two who ask at once", async () => {
    const file = join(folder, "once.jsonl")
    const mails = await openMails(file)
    const bring = bringingTexts(mails, async () => [ONE, TWO])
    await Promise.all([bring(), bring()])
    expect(mails.all()).toHaveLength(2)
    const again = await openMails(file)
    await bringingTexts(again, async () => [ONE, TWO])()
    expect(again.all()).toHaveLength(2)
  })

  it("give the newest code that nobody has used yet", async () => {
    const mails = await openMails(join(folder, "codes.jsonl"))
    const readCode = codesFrom(async () => mails.all())
    expect(await readCode()).toBeNull()
    await mails.add(asReceived(ONE))
    expect([await readCode(), await readCode()]).toEqual(["111111", null])
    await mails.add(asReceived(TWO))
    expect(await readCode()).toBe("222222")
  })
})
