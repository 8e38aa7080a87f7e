// A short run of every target, what was found before, and the proof that the runner finds what it looks for. The long
// run is `node tests/fuzz/main.ts`.

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { isLong } from "../service/long.ts"
import { fuzz } from "./session.ts"
import { names } from "./targets.ts"

const SEED = 20_261_115
const corpora = process.env.PARAPH_CORPORA

describe("every reader of foreign bytes", () => {
  it.each(names)("%s answers or refuses by name, and its properties hold", async (target) => {
    const session = {
      target,
      seed: SEED,
      runs: isLong ? 3_000 : 600,
      seconds: 2,
      ...(corpora === undefined ? {} : { corpora }),
    }
    const { findings, runs, accepted } = await fuzz(session)
    expect(findings.map(({ kind, detail, input }) => ({ kind, detail, input: hex(input) }))).toEqual([])
    // A target whose every input is refused, or accepted, tests nothing.
    expect(accepted).toBeGreaterThan(0)
    expect(accepted).toBeLessThan(runs)
  })
})

describe("what was found once", () => {
  // Named "target/what was wrong"; the input is as small as it could be made.
  const folder = join(import.meta.dirname, "regressions")
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  it.each(files.map((file) => [join(file.parentPath, file.name).slice(folder.length + 1), file] as const))(
    "%s is not found again",
    async (name) => {
      const input = new Uint8Array(readFileSync(join(folder, name)))
      const { findings } = await fuzz({ target: name.split("/")[0] ?? "", seed: 0, seconds: 10, input })
      expect(findings.map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([])
    },
  )
})

describe("the runner", () => {
  const session = { seed: 1, seconds: 20, runs: 5_000, maxFindings: 1, hangMs: 2_000 }

  it.each(["exception", "property", "hang", "slow", "memory"])("finds a planted fault: %s", async (kind) => {
    const { findings } = await fuzz({ ...session, target: `planted-${kind}` })
    expect(findings.map((finding) => finding.kind)).toEqual([kind])
  })

  it("makes what it found small", async () => {
    const { findings } = await fuzz({ ...session, target: "planted-property" })
    // Three empty values, the first of them an octet string.
    expect(findings.map(({ input }) => input.length)).toEqual([8])
  })

  it("makes the same inputs of the same seed, and others of another", async () => {
    const counts = async (seed: number) => {
      const { accepted, ways } = await fuzz({ target: "timestamp-response", seed, seconds: 60, runs: 500 })
      return { accepted, ways }
    }
    const first = await counts(7)
    expect(await counts(7)).toEqual(first)
    expect(await counts(8)).not.toEqual(first)
  })
})

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 2_000)).toString("hex")
}
