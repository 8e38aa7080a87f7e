import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { refuseBombs } from "@paraph/pades/decoded-size"
import { expect, it } from "vitest"

const corpora = process.env.PARAPH_CORPORA

it.skipIf(corpora === undefined)(
  "[B4] the budget for decoded streams refuses no PDF of the corpora but the decompression bomb",
  async () => {
    const root = corpora ?? ""
    const refused: string[] = []
    let files = 0
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      if (!/\.pdf$/i.test(name) || !statSync(join(root, name)).isFile()) continue
      files += 1
      await refuseBombs(readFileSync(join(root, name))).catch(() => refused.push(name))
    }
    expect(files).toBeGreaterThan(1_500)
    expect(refused).toEqual(["attacks/screen-and-print/flate2.pdf"])
  },
)
