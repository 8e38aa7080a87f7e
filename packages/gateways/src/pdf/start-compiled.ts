// How a program in one file begins (one-file.ts): with what V8 made of it when it was built. V8 takes that only where it is the same
// V8 with the same settings, and reads the program itself where not.

import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { Script } from "node:vm"

const [, , file = ""] = process.argv
const begin = new Script(readFileSync(file, "utf8"), {
  filename: file,
  cachedData: readFileSync(file.replace(/\.cjs$/, ".code")),
}).runInThisContext() as (require: NodeJS.Require, filename: string) => void
begin(createRequire(file), file)
