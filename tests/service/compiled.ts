import { resolve } from "node:path"

/**
 * For every process of ours that a test starts: what Node made of the sources for an earlier one, which it holds against them
 * (nodejs.org/api/module.html, "Module compile cache"). Reading and compiling them is half of the work of a start.
 */
export const COMPILED = {
  NODE_COMPILE_CACHE: resolve(import.meta.dirname, "../../.stack/compiled"),
} as const
