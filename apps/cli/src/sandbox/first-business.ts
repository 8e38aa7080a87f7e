import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Config } from "@paraph/server/config"
import { createRandomness } from "@paraph/server/randomness"
import { adminAnswer } from "../admin.ts"
import { caAnswer } from "../ca.ts"
import type { Place } from "./place.ts"
import { writePrivate } from "./private-file.ts"

/** Whoever tries out is this business, with a key of each kind. */
export type FirstBusiness = {
  readonly business: string
  readonly username: string
  readonly owner: string
  readonly apiKey: string
  readonly productionKey: string
}

const NAME = "Acme AG"
const USERNAME = "acme"
const OWNER = "owner@acme.example"

/** Made once and kept with the sandbox, with the authorities of both kinds. */
export async function makeFirstBusiness(config: Config, { folder, seed }: Place): Promise<FirstBusiness> {
  const file = join(folder, "business.json")
  if (!existsSync(file)) await writePrivate(file, JSON.stringify(await make(config, seed)))
  return JSON.parse(readFileSync(file, "utf8"))
}

async function make(config: Config, seed: string): Promise<FirstBusiness> {
  const randomness = createRandomness(seed, "set-up")
  const admin = async (...words: string[]): Promise<Record<string, string>> =>
    JSON.parse(await adminAnswer(() => config, words, randomness))
  for (const kind of ["demo", "production"])
    await caAnswer(
      () => config,
      ["init", "--kind", kind, "--organization", NAME, "--country", "CH"],
      randomness,
    )
  const { business = "" } = await admin("create-business", "--name", NAME)
  await admin("set-feature", "--business", business, "--feature", "express_qes", "--on")
  await admin("create-user", "--business", business, "--username", USERNAME)
  const owner = ["--email", OWNER, "--name", "Ada Owner", "--role", "owner"]
  await admin("add-member", "--business", business, ...owner)
  const keyOf = async (kind: string) =>
    (await admin("create-key", "--user", USERNAME, "--kind", kind))["api-key"] ?? ""
  const apiKey = await keyOf("demo")
  return { business, username: USERNAME, owner: OWNER, apiKey, productionKey: await keyOf("production") }
}
