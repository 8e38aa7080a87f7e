import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { inject } from "vitest"
import { dumpWords, type Service } from "./service.ts"

const run = promisify(execFile)

/** Words that stand in nothing but what a test has planted, so that they can be looked for everywhere. */
export function plantedWords() {
  const word = `zq${randomBytes(6).toString("hex")}`
  const area = `+4178${String(randomBytes(2).readUInt16BE()).padStart(5, "0").slice(-3)}`
  const needles = [...formsOf(word), Buffer.from(area), ...hexOf(area)]
  return {
    word,
    /** A telephone number of its own. */
    number: (n: number): string => `${area}${String(n).padStart(4, "0")}`,
    /** Where it first stands, with what is around it; null: nowhere. */
    foundIn: (bytes: Buffer): string | null => {
      for (const needle of needles) {
        const at = bytes.indexOf(needle)
        if (at !== -1) return bytes.subarray(Math.max(0, at - 120), at + 60).toString("latin1")
      }
      return null
    },
  }
}

/** As a text is written in a row, in the hex of a dump, in a PDF, and in Base64 wherever it begins. */
function formsOf(word: string): readonly Buffer[] {
  const wide = Buffer.from(word, "utf16le")
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(word)]).toString("base64")
    return Buffer.from(
      text
        .slice(before === 0 ? 0 : before + 1)
        .replace(/.?=*$/, "")
        .slice(0, 14),
    )
  })
  return [Buffer.from(word), wide, Buffer.from(wide).swap16(), ...hexOf(word), ...inBase64]
}

const hexOf = (text: string) => [Buffer.from(Buffer.from(text).toString("hex"))]

/** All rows of all tables, the queue's too, and the samples of values that the planner keeps. */
export async function dumpOf({ env, sql }: Service): Promise<Buffer> {
  const words = ["--inserts", ...dumpWords(env.DATABASE_OWNER_URL)]
  const dump = await run("pg_dump", words, { maxBuffer: 2 ** 30, encoding: "buffer" })
  return Buffer.concat([dump.stdout, Buffer.from(await sql("select * from pg_stats"))])
}

/** The files of its tables and indexes, as they lie on the disk: what was freed is given back first. */
export async function filesOf({ sql }: Service): Promise<Buffer> {
  await sql("vacuum (full, analyze)")
  await sql("checkpoint").catch(() => undefined)
  const paths = await sql(`
    select pg_relation_filepath(c.oid) from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where pg_relation_filenode(c.oid) is not null and pg_relation_size(c.oid) > 0
       and (n.nspname in ('public', 'jobs') or c.oid in (select reltoastrelid from pg_class))`)
  const files = paths.split("\n").map((path) => readFile(join(inject("stackDir"), "postgres", path)))
  return Buffer.concat(await Promise.all(files))
}

/** Every object, of whichever test. */
export async function objectsOf({ env }: Service): Promise<readonly Buffer[]> {
  const folder = join(inject("stackDir"), "s3/objects", env.S3_BUCKET ?? "")
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  // Another test may take one away meanwhile.
  return Promise.all(
    files.map((file) => readFile(join(file.parentPath, file.name)).catch(() => Buffer.alloc(0))),
  )
}
