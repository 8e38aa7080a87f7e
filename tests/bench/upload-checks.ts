// `npm run bench:upload-checks -- --before FOLDER`: the CPU time of an upload in our processes, compared with a checkout of an earlier
// version that does not compare the pages on screen and in print (ADR 0086). Both versions run in turn on one stack, without clamd.
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { writeSample } from "@paraph/pades/sample"
import { lease } from "../../scripts/stack/lease.ts"
import { createApi } from "../service/api.ts"
import { stream } from "../service/odd-pdfs.ts"
import { contractPdf } from "../service/pdf.ts"
import { startService } from "../service/service.ts"
import { median } from "./harness/figure.ts"
import { processorTimes } from "./processor-time.ts"

const root = resolve(import.meta.dirname, "../..")
const { values } = parseArgs({
  options: {
    before: { type: "string" },
    rounds: { type: "string", default: "5" },
    uploads: { type: "string", default: "20" },
  },
})
if (values.before === undefined)
  throw new Error("--before names a checkout of an earlier version, with its dependencies installed")
const [rounds, uploads] = [Number(values.rounds), Number(values.uploads)]

const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
const DOCUMENTS: Readonly<Record<string, Buffer>> = {
  "one page": contractPdf(),
  "36 pages with three links each": linkedPages(36, 3),
  "one page with 30 filled text fields": filledForm(30),
}

const stack = await lease(resolve(root, ".stack", "bench-stack"), { fast: true })
try {
  const env = { SCANNER_URL: "none" }
  const versions = await Promise.all(
    [root, resolve(values.before)].map((sources) =>
      startService({ stack: stack.stack, sources, worker: false, env }),
    ),
  )
  const rows: Record<string, string | number>[] = []
  for (const [name, pdf] of Object.entries(DOCUMENTS)) {
    const ms: readonly number[][] = [[], []]
    for (let round = 0; round <= rounds; round += 1)
      for (const [index, version] of versions.entries()) {
        const spent = await costOf(version, name, pdf)
        // The first round starts processes and loads what the later ones keep.
        if (round > 0) ms[index]?.push(spent)
      }
    const [now = 0, before = 0] = ms.map(median)
    rows.push({ document: name, "before (ms)": before, "now (ms)": now, ratio: (now / before).toFixed(2) })
  }
  console.table(rows)
  for (const version of versions) await version.close()
} finally {
  await stack.release()
}

type Version = Awaited<ReturnType<typeof startService>>

/** CPU milliseconds of one upload, in the api process and all that it started. */
async function costOf({ url, username, demoKey, api }: Version, title: string, pdf: Buffer): Promise<number> {
  const caller = await createApi(url, username, demoKey)
  const content = pdf.toString("base64")
  const cpu = () => processorTimes({ api: [api.pid] }, []).api ?? 0
  const begun = cpu()
  for (let upload = 0; upload < uploads; upload += 1) {
    const answer = await caller.post("/v2/documents", { title, content })
    if (answer.status !== 200)
      throw new Error(`The upload of "${title}" answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  }
  return (cpu() - begun) / uploads
}

function linkedPages(pages: number, links: number): Buffer {
  const link = (at: number) =>
    `<< /Type /Annot /Subtype /Link /F 4 /Border [0 0 0] /Rect [72 ${700 - 30 * at} 272 ${720 - 30 * at}] /A << /S /URI /URI (https://example.org/${at}) >> >>`
  const annotations = Array.from({ length: links }, (_, at) => link(at)).join(" ")
  const page = (at: number) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * at} 0 R /Annots [${annotations}] >>`,
    stream("", `BT /F1 18 Tf 72 720 Td (Page ${at + 1} of a long contract.) Tj ET`),
  ]
  const numbers = Array.from({ length: pages }, (_, at) => at)
  return Buffer.from(
    writeSample([
      "<< /Type /Catalog /Pages 2 0 R >>",
      `<< /Type /Pages /Kids [${numbers.map((at) => `${4 + 2 * at} 0 R`).join(" ")}] /Count ${pages} >>`,
      FONT,
      ...numbers.flatMap(page),
    ]),
  )
}

function filledForm(fields: number): Buffer {
  const numbers = Array.from({ length: fields }, (_, at) => 5 + 2 * at)
  const kids = numbers.map((number) => `${number} 0 R`).join(" ")
  const field = (number: number, at: number) => {
    const rect = `[72 ${790 - 25 * at} 272 ${808 - 25 * at}]`
    const entries = "/Type /Annot /Subtype /Widget /FT /Tx /P 3 0 R /F 4 /DA (/F1 12 Tf 0 g)"
    return [
      `<< ${entries} /T (field ${at}) /V (Value ${at}) /Rect ${rect} /AP << /N ${number + 1} 0 R >> >>`,
      stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 200 18] /Resources << /Font << /F1 4 0 R >> >>",
        `/Tx BMC q BT /F1 12 Tf 0 g 2 5 Td (Value ${at}) Tj ET Q EMC`,
      ),
    ]
  }
  return Buffer.from(
    writeSample([
      `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${kids}] /DR << /Font << /F1 4 0 R >> >> >> >>`,
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Annots [${kids}] >>`,
      FONT,
      ...numbers.flatMap(field),
    ]),
  )
}
