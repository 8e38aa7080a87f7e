// `npm run build`: a program that reads PDFs, and every module of ours behind it, as one file (ADR 0021), and compiled (ADR 0067).

import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { setFlagsFromString } from "node:v8"
import { Script } from "node:vm"
import { rolldown } from "rolldown"
import { BUILT, PACKAGE, programFile, type Sources, STARTER, sourcesFile } from "./one-file.ts"

/** Beside it stands of which sources it is, and that these are its bytes. */
export async function writeOneFile(name: string, folder: string): Promise<void> {
  const [starter, program] = [await bundled("start-compiled"), await bundled(name)]
  const file = programFile(folder, name)
  // What the starter calls.
  const text = `(function (require, __filename) {${program.code}\n})`
  mkdirSync(folder, { recursive: true })
  // Written last, and not there while the others do not belong together.
  rmSync(sourcesFile(folder, name), { force: true })
  const built: Readonly<Record<string, string | Uint8Array>> = {
    [join(folder, STARTER)]: starter.code,
    [file]: text,
    [file.replace(/\.cjs$/, ".code")]: compiled(text, file),
  }
  for (const [path, content] of Object.entries(built)) writeFileSync(path, content)
  const files = [...starter.sources, ...program.sources, ...Object.keys(built)]
  const sources: Sources = Object.fromEntries(files.map((path) => [relative(PACKAGE, path), sha256Of(path)]))
  writeFileSync(sourcesFile(folder, name), `${JSON.stringify(sources, null, 2)}\n`)
}

async function bundled(name: string) {
  const bundle = await rolldown({ input: join(import.meta.dirname, `${name}.ts`), platform: "node" })
  const { output } = await bundle.generate({ format: "cjs", codeSplitting: false })
  await bundle.close()
  const [{ code, moduleIds }, ...others] = output
  if (others.length > 0) throw new Error(`${name} is more than one file.`)
  return { code, sources: moduleIds.filter((id) => !id.startsWith("\0")) }
}

/** All functions of it: by itself V8 compiles each when it is first called, in every process anew. */
function compiled(text: string, filename: string): Uint8Array {
  setFlagsFromString("--no-lazy")
  const script = new Script(text, { filename })
  // What V8 makes is of use to a V8 with the same settings alone, and processes have the usual one.
  setFlagsFromString("--lazy")
  return script.createCachedData()
}

const sha256Of = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex")

if (import.meta.main) for (const name of ["document-child", "validate-child"]) await writeOneFile(name, BUILT)
