import { readFileSync } from "node:fs"

/** A sample of the wire, as an integrator would send or receive it; a new object at each call. */
export const readSample = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), "utf8"))
