// `npm run bench:proofs`: the proof of one leaf among ten million, from the rows of the database. `--leaves N`: among fewer.
import { randomInt } from "node:crypto"
import { loadavg } from "node:os"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { openDatabase } from "@paraph/store/postgres/database"
import { indexesOf, proveIncluded } from "@paraph/store/postgres/evidence-log"
import { grow } from "@paraph/tlog/grow"
import { leafHash } from "@paraph/tlog/hash"
import { verifyInclusion } from "@paraph/tlog/verify-proof"
import { sql } from "kysely"
import { lease } from "../../scripts/stack/lease.ts"
import { run } from "../../scripts/stack/process.ts"
import { databaseIn, makeTemplate, templateOf } from "../../scripts/stack/template.ts"

const { values } = parseArgs({ options: { leaves: { type: "string", default: "10000000" } } })
const leaves = Number(values.leaves)
const AT_ONCE = 256 * 256
const PROOFS = 500

const entryAt = (index: number) => Buffer.from(`entry ${index}`)

const { stack, release } = await lease(resolve(import.meta.dirname, "../..", ".stack", "bench-stack"), {
  fast: true,
})
const name = `paraph_proofs_${process.pid}`
const owner = stack.env.DATABASE_OWNER_URL ?? ""
const psql = (statement: string) => run("psql", ["--no-psqlrc", "-qAt", "-c", statement, owner])
try {
  await makeTemplate(stack)
  await psql(`create database ${name} template ${templateOf(stack.dir).database}`)
  const { serviceDb: db, close } = openDatabase(databaseIn(stack.env, name).DATABASE_OWNER_URL, {
    max: 1,
    name: "bench",
  })
  await sql`set statement_timeout = 0`.execute(db)
  // Of what a leaf is of there is nothing here: only where it is.
  await sql`alter table log_leaf drop constraint log_leaf_position_fkey`.execute(db)
  const edge = new Map<string, Uint8Array>()
  let size = 0
  let root: Uint8Array = new Uint8Array()
  while (size < leaves) {
    const hashes = Array.from({ length: Math.min(AT_ONCE, leaves - size) }, (_, i) =>
      leafHash(entryAt(size + i)),
    )
    const grown = await grow(size, hashes, async ({ level, n }) => {
      const tile = edge.get(`${level} ${n}`)
      if (tile === undefined) throw new Error("It is not at the edge.")
      return tile
    })
    for (const { level, n, bytes } of grown.tiles) edge.set(`${level} ${n}`, bytes)
    const first = size
    size = grown.size
    root = grown.root
    await sql`
      insert into log_leaf (kind, index, position)
        select 'demo', i, i + 1 from generate_series(${first}::bigint, ${size - 1}::bigint) as i`.execute(db)
  }
  const tiles = [...edge].map(([key, bytes]) => ({
    key: key.split(" ").map(Number),
    bytes: Buffer.from(bytes),
  }))
  for (let i = 0; i < tiles.length; i += 500) {
    const some = tiles.slice(i, i + 500)
    await sql`
      insert into log_tile (kind, level, n, hashes)
        select 'demo', * from unnest(${some.map(({ key }) => key[0])}::smallint[], ${some.map(({ key }) => key[1])}::bigint[],
          ${some.map(({ bytes }) => bytes)}::bytea[])`.execute(db)
  }
  await sql`analyze`.execute(db)
  const took: number[] = []
  for (let i = 0; i < PROOFS; i++) {
    const index = randomInt(size)
    const position = String(index + 1)
    const began = performance.now()
    const found = [...(await indexesOf(db, [position])).values()]
    const [proof] = await proveIncluded(db, "demo", size, found)
    took.push(performance.now() - began)
    const isThere =
      proof && verifyInclusion({ hash: leafHash(entryAt(index)), index }, { size, root }, proof.path)
    if (!isThere) throw new Error(`The leaf ${index} is not proved.`)
  }
  took.sort((a, b) => a - b)
  const at = (share: number) => (took[Math.floor(took.length * share)] ?? 0).toFixed(1)
  console.log(`${size} leaves, ${edge.size} tiles, load ${loadavg()[0]?.toFixed(1)}`)
  console.log(
    `${PROOFS} proofs, ms: median ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, most ${took.at(-1)?.toFixed(1)}`,
  )
  await close()
} finally {
  await psql(`drop database if exists ${name} with (force)`)
  await release()
}
