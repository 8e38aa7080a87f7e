import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmdirSync } from "node:fs"
import { appendFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { until } from "../service/until.ts"
import { createJournal, type DocumentService, expectNothingLost, startDocumentService } from "./documents.ts"
import { faultsOf, isGood, note } from "./load.ts"

const DISK_MB = 16
const DOCUMENT = /^[^/]+\/[0-9a-f]{8}-[0-9a-f-]{27}$/

// A file system of its own can only be mounted by root, and not in every container.
describe.skipIf(!mayMount())("the disk of the spool folder is full", () => {
  let folder: string
  let documents: DocumentService
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "paraph-disk-"))
    mount(folder)
    documents = await startDocumentService({ env: { SPOOL_FOLDER: folder, SPOOL_KEPT_MB: "0" } })
  })
  afterAll(async () => {
    await documents?.close()
    execFileSync("umount", [folder])
    rmdirSync(folder)
  })
  /** Documents on their way, in the folders of the processes; there is also compiled code, under other names. */
  const onTheirWay = () =>
    (readdirSync(folder, { recursive: true }) as string[]).filter((path) => DOCUMENT.test(path))

  it("uploads and pages answer 503, reads go on; with room again, so do the others", async () => {
    const { caller } = documents.service
    const journal = createJournal(documents.service)
    expect((await journal.upload(2_000_000)).status).toBe(200)
    const [first] = journal.acknowledged
    const drawPage = () => caller.get(`/v2/documents/${first?.id}/pages/0`)
    const filling = join(folder, "filling")
    expect(await fill(filling)).toBe("ENOSPC")
    for (const { status, headers } of [await journal.upload(2_000_000), await drawPage()])
      expect([status, Number(headers.get("retry-after")) > 0]).toEqual([503, true])
    expect((await journal.read()).status).toBe(200)
    expect(onTheirWay()).toEqual([])
    await rm(filling)
    expect((await journal.upload(2_000_000)).status).toBe(200)
    // 202 while it is being drawn.
    await until("the page is drawn", async () => (await drawPage()).status === 200)
    await expectNothingLost(documents, journal)
  })

  it("more at once than there is room for: each is taken or answers 503, nothing stays behind, and the next is taken", async () => {
    const journal = createJournal(documents.service)
    const uploads = Array.from({ length: 16 }, () => note("upload", () => journal.upload(2_000_000)))
    const answers = await Promise.all(uploads)
    expect(faultsOf(answers)).toEqual([])
    // Which ones find room is a race that all of them may lose: each can hold a part of it when it ends.
    expect(answers.filter((answer) => !isGood(answer)).map(({ status }) => status)).toContain(503)
    expect(onTheirWay()).toEqual([])
    expect((await journal.upload(2_000_000)).status).toBe(200)
    await expectNothingLost(documents, journal)
  })
})

/** Takes all the room there is; answers how it was told that there is no more. */
async function fill(path: string): Promise<string | undefined> {
  try {
    for (;;) await appendFile(path, Buffer.alloc(65_536))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "paraph-disk-"))
  try {
    mount(folder)
    execFileSync("umount", [folder])
    return true
  } catch {
    return false
  } finally {
    rmdirSync(folder)
  }
}

function mount(folder: string): void {
  const options = `size=${DISK_MB}m,mode=700`
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" })
}
