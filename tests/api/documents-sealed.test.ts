import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { oddPdf, stream } from "../service/odd-pdfs.ts"
import { drawnPage } from "../service/pages.ts"
import { dumpWords, type Service, startService } from "../service/service.ts"
import { objectFile } from "../service/stored.ts"
import { addUser } from "../service/users.ts"

const run = promisify(execFile)

/** What the document says, each in another place: none of it may be read from the disk, the bucket or the database. */
const PLANTED = {
  text: "PLANTED-IN-THE-TEXT",
  field: "PLANTED-IN-A-FIELD",
  author: "PLANTED-IN-THE-INFO",
  metadata: "PLANTED-IN-METADATA",
}
const EVERY_PDF = ["%PDF", "endobj", "/Catalog"]

const planted = oddPdf({
  drawing: `BT /F1 18 Tf 72 720 Td (${PLANTED.text}) Tj ET`,
  catalog: "/AcroForm << /Fields [6 0 R] >> /Metadata 7 0 R",
  page: "/Annots [6 0 R]",
  trailer: "/Info 8 0 R",
  objects: [
    `<< /Type /Annot /Subtype /Widget /FT /Sig /T (${PLANTED.field}) /Rect [9 9 99 29] /P 3 0 R >>`,
    stream(
      "/Type /Metadata /Subtype /XML",
      `<x:xmpmeta xmlns:x="adobe:ns:meta/">${PLANTED.metadata}</x:xmpmeta>`,
    ),
    `<< /Author (${PLANTED.author}) >>`,
  ],
})

describe("documents at rest", () => {
  let service: Service
  let spool: string
  beforeAll(async () => {
    spool = await mkdtemp(join(tmpdir(), "paraph-spool-"))
    service = await startService({ env: { SPOOL_FOLDER: spool } })
  })
  afterAll(async () => {
    await service?.close()
    await rm(spool, { recursive: true, force: true })
  })

  const upload = async () => {
    const { body } = await service.caller.post("/v2/documents", {
      title: "Contract",
      content: planted.toString("base64"),
    })
    expect(body.signature_fields).toMatchObject([{ name: PLANTED.field }])
    return body.id as string
  }
  const stored = async (id: string) => {
    const row = await service.sql(
      `select blob_name, encode(wrapped_key, 'hex') from document where id = '${id}'`,
    )
    const [name = "", wrappedKey] = row.split("|")
    return { bytes: await readFile(objectFile(service, name)), wrappedKey }
  }
  /** Everything that PostgreSQL holds, bytes as themselves and not in hex. */
  const dump = async () => {
    const { stdout } = await run("pg_dump", ["--inserts", ...dumpWords(service.env.DATABASE_OWNER_URL)], {
      maxBuffer: 100_000_000,
    })
    const bytes = [...stdout.matchAll(/'\\x([0-9a-f]+)'/g)].map(([, hex = ""]) => Buffer.from(hex, "hex"))
    return Buffer.concat([Buffer.from(stdout), ...bytes])
  }

  it("[DOC-11] say nothing: not in the bucket, not in the database, not in the folder on the way", async () => {
    const id = await upload()
    // Everything that could leave a trace: a page that was drawn, a new version, a part that was read.
    expect((await drawnPage(service.caller, `/v2/documents/${id}/pages/0`)).status).toBe(200)
    const { body } = await service.caller.post(`/v2/documents/${id}/watermark`, { text: "PLANTED-WATERMARK" })
    await service.caller.get(`/v2/documents/${id}/content`, { range: "bytes=0-99" })
    const onTheWay = await filesIn(spool)
    const places = [
      (await stored(id)).bytes,
      (await stored(body.id)).bytes,
      await dump(),
      ...onTheWay,
      Buffer.from(service.api.log() + service.worker.log()),
    ]
    expect(places[2]?.includes(id)).toBe(true)
    expect(onTheWay.length).toBeGreaterThan(0)
    for (const plain of [...Object.values(PLANTED), ...EVERY_PDF]) expect(planted.includes(plain)).toBe(true)
    const spelled = [...EVERY_PDF, ...Object.values(PLANTED).flatMap(spellings)]
    for (const spelling of [...spelled, ...spellings("PLANTED-WATERMARK")])
      for (const [index, bytes] of places.entries())
        expect([index, spelling, bytes.includes(spelling)]).toEqual([index, spelling, false])
  })

  it("[DOC-11] are never equal, though they are: each has a key of its own", async () => {
    const [one, two] = [await stored(await upload()), await stored(await upload())]
    expect(one.bytes.length).toBe(two.bytes.length)
    expect(one.bytes.length).toBeGreaterThan(planted.length)
    // But for the first byte, which is the version of the form, as two dice agree: one time in 256.
    expect(sharedBytes(one.bytes, two.bytes)).toBeLessThan(one.bytes.length / 16)
    expect(one.wrappedKey).not.toBe(two.wrappedKey)
  })

  it("[DOC-11] are opened for owner, readers and writers alone, whoever else has the id", async () => {
    const id = await upload()
    const stranger = await addUser(service, "stranger")
    const bytesFor = async () => (await stranger.get(`/v2/documents/${id}/content`)).bytes
    expect((await bytesFor()).includes("%PDF")).toBe(false)
    for (const access of [{ read_access: ["stranger"] }, { read_access: [], write_access: ["stranger"] }]) {
      await service.caller.put(`/v2/documents/${id}/access`, access)
      expect((await bytesFor()).equals(planted)).toBe(true)
    }
    await service.caller.put(`/v2/documents/${id}/access`, { read_access: [], write_access: [] })
    expect((await bytesFor()).includes("%PDF")).toBe(false)
  })

  it("[R35] do not open in the place of another, nor with another's key", async () => {
    const [one, two] = [await upload(), await upload()]
    const swap = (column: string) =>
      service.sql(`update document as d set ${column} = o.${column} from document as o
        where d.id = '${one}' and o.id = '${two}'`)
    const intact = await service.caller.get(`/v2/documents/${one}/content`)
    expect(intact.bytes.equals(planted)).toBe(true)
    await swap("wrapped_key")
    // A fault of ours, which no description tells of.
    const headers = { authorization: `Bearer ${service.caller.token}` }
    const swapped = await fetch(`${service.url}/v2/documents/${one}/content`, { headers })
    expect(swapped.status).toBe(500)
    expect(await swapped.text()).not.toContain("PLANTED")
  })
})

/** All files in all folders, but those of V8's compiled code. */
async function filesIn(folder: string): Promise<readonly Buffer[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !/\/code(\/|$)/.test(entry.parentPath))
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))))
}

/** As it is, in hex, and in Base64 wherever a group of three begins: of that, what does not depend on its neighbours. */
const spellings = (text: string): readonly string[] => [
  text,
  Buffer.from(text).toString("hex"),
  ...[0, 1, 2].map((before) =>
    Buffer.from(" ".repeat(before) + text)
      .toString("base64")
      .slice(4, -4),
  ),
]

const sharedBytes = (a: Buffer, b: Buffer): number => a.filter((byte, index) => byte === b[index]).length
