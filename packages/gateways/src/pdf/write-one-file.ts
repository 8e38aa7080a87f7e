// `npm run build`: a program that reads PDFs, and every module of ours behind it, as one file (ADR 0021).

import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { rolldown } from "rolldown"
import { BUILT, PACKAGE, type Sources, sourcesFile } from "./one-file.ts"

/** Beside it stands of which sources it is. */
export async function writeOneFile(name: string, folder: string): Promise<void> {
  const bundle = await rolldown({ input: join(import.meta.dirname, `${name}.ts`), platform: "node" })
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false })
  await bundle.close()
  const [program, ...others] = output
  if (others.length > 0) throw new Error(`${name} is more than one file.`)
  const sources: Record<string, string> = {}
  for (const file of program.moduleIds.filter((id) => !id.startsWith("\0")))
    sources[relative(PACKAGE, file)] = createHash("sha256").update(readFileSync(file)).digest("hex")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.mjs`), program.code)
  writeFileSync(sourcesFile(folder, name), `${JSON.stringify(sources satisfies Sources, null, 2)}\n`)
}

if (import.meta.main) for (const name of ["document-child", "validate-child"]) await writeOneFile(name, BUILT)
