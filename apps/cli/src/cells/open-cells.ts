import { readFileSync } from "node:fs"
import { parseEnv } from "node:util"
import { type Config, loadConfig } from "@paraph/server/config"
import { openBucket } from "@paraph/server/document-parts"
import { openKeyRing } from "@paraph/server/key-ring"
import { type CellPlace, readCells } from "@paraph/store/directory/cells-file"
import { type Cell, openCell } from "@paraph/store/moving/cell"
import { type Environment, secretFrom } from "../environment.ts"
import { Failed } from "../failed.ts"
import { NotUnderstood } from "../not-understood.ts"

export function cellsIn(env: Environment): readonly CellPlace[] {
  if (!env.CELLS_FILE) throw new NotUnderstood("CELLS_FILE names the file with the cells (docs/cells.md).")
  return readCells(env.CELLS_FILE)
}

export function directoryUrlIn(env: Environment): string {
  const url = secretFrom(env, "DIRECTORY_URL")
  if (!url) throw new NotUnderstood("DIRECTORY_URL is the database of the directory (docs/cells.md).")
  return url
}

export type OpenedCell = Cell & { readonly config: Config; readonly close: () => Promise<void> }

/** As its own processes are configured, from its own file: the settings of two cells have the same names. */
export async function openNamed({ name, settings }: CellPlace): Promise<OpenedCell> {
  if (settings === null) throw new Failed(`CELLS_FILE names no settings of ${name}.`)
  const config = loadConfig(parseEnv(readFileSync(settings, "utf8")) as Environment)
  const ring = await openKeyRing(config)
  const bucket = openBucket(config)
  const letGo = async () => {
    bucket.close()
    await ring.close()
  }
  try {
    const cell = await openCell(name, config.DATABASE_OWNER_URL || config.DATABASE_URL, { bucket, ring })
    const close = async () => {
      await cell.client.end()
      await letGo()
    }
    return { ...cell, config, close }
  } catch (error) {
    await letGo()
    throw error
  }
}

/** What settings say against a move; a business would be there and could not be used. */
export function mustFit(from: OpenedCell, to: OpenedCell): { readonly sharesTokens: boolean } {
  const [a, b] = [from.config, to.config]
  if (a.KEY_PEPPER !== b.KEY_PEPPER)
    throw new Failed(
      "The cells have different KEY_PEPPERs: no API key and no link would be known in the other.",
    )
  if (a.PUBLIC_URL !== b.PUBLIC_URL)
    throw new Failed("The cells have different PUBLIC_URLs: mailed links would lead astray.")
  if (a.REGION !== b.REGION)
    throw new Failed("The cells are of different regions. Nothing is moved between regions.")
  const bucketOf = (c: Config) => [c.DOCUMENTS_FOLDER, c.S3_ENDPOINT, c.S3_BUCKET].join(" ")
  if (bucketOf(a) === bucketOf(b)) throw new Failed("The cells have one bucket. Each cell needs its own.")
  const tokensOf = (c: Config) =>
    [c.PKCS11_MODULE, c.SOFTHSM2_CONF, c.PKCS11_DEMO_TOKEN, c.PKCS11_PRODUCTION_TOKEN, c.KEYS_FOLDER].join(
      " ",
    )
  return { sharesTokens: tokensOf(a) === tokensOf(b) }
}
