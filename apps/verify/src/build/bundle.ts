// Our own sources as one script that runs in a browser: what Node brings along is exchanged for what stands in `platform`.

import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const platform = (name: string): string => fileURLToPath(new URL(`../platform/${name}.ts`, import.meta.url))

const INSTEAD: Readonly<Record<string, string>> = {
  "node:crypto": platform("crypto"),
  "node:fs": platform("fs"),
  "node:zlib": platform("zlib"),
}

/** `esm` is for tests, which ask the same engine from Node. */
export async function bundle(input: string, format: "iife" | "esm"): Promise<string> {
  const built = await rolldown({
    input,
    platform: "browser",
    // A bare `buffer` is the library and not Node's module.
    resolve: { alias: { ...INSTEAD, buffer: fileURLToPath(import.meta.resolve("buffer/index.js")) } },
    transform: { target: "es2022", inject: { Buffer: [platform("buffer"), "Buffer"] } },
    // What is not exchanged must not be in there: better no page than one that fails in somebody's hands.
    external: () => false,
    onLog: (level, log, otherwise) => {
      if (log.code === "UNRESOLVED_IMPORT" || log.code === "MISSING_EXPORT") throw new Error(log.message)
      if (level !== "debug") otherwise(level, log)
    },
  })
  const { output } = await built.generate({ format, codeSplitting: false, minify: format === "iife" })
  await built.close()
  const [script, ...others] = output
  if (others.length > 0) throw new Error("The page is more than one script.")
  if (/\bnode:[a-z]+["']/.test(script.code)) throw new Error("The page asks for something of Node.")
  return script.code
}
