// The files of a database. PostgreSQL makes them in a second, and the schema takes another half: so what the first sandbox of a
// schema began with is kept, and the next ones begin with a copy.
import { execFile } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { schemaDigest } from "@paraph/store/postgres/schema-digest"
import { NotUnderstood } from "../not-understood.ts"
import type { Account } from "./account.ts"
import { cacheFolder } from "./cache-folder.ts"
import { type PostgresFiles, postgresVersion } from "./postgres-files.ts"
import { keptIn, writePrivate } from "./private-file.ts"

export type Cluster = {
  /** The superuser's password, which is part of the files. */
  readonly superuser: string
  /** Keeps a copy for those to come; null where there is nothing new to keep. Only while no server runs on it. */
  readonly keep: (() => void) | null
  /** It does not start: it shall not be what the next one begins with. */
  readonly forget: () => void
}

const DAYS_KEPT = 30

/** What is there already, a copy of what was kept, or new. */
export async function clusterIn(
  folder: string,
  files: PostgresFiles,
  account: Account | undefined,
): Promise<Cluster> {
  const data = join(folder, "database")
  const secret = () => secretIn(folder, "superuser")
  if (existsSync(join(data, "PG_VERSION"))) return { superuser: await secret(), keep: null, forget: () => {} }
  const kept = join(cacheFolder("databases"), keyOfKept())
  const forget = () => rmSync(kept, { recursive: true, force: true })
  if (existsSync(kept)) {
    try {
      await take(kept, folder, data, account)
      return { superuser: await secret(), keep: null, forget }
    } catch {
      forget()
    }
  }
  const superuser = await secret()
  await initialise(files.initdb, folder, data, superuser, account)
  return { superuser, keep: () => keep(kept, folder, data), forget }
}

export const secretIn = (folder: string, name: string): Promise<string> =>
  keptIn(join(folder, name), () => randomBytes(24).toString("hex"))

/** Of the same schema and the same programs: what `migrate` would have to change is in neither. */
const keyOfKept = (): string =>
  createHash("sha256").update(`${postgresVersion()} ${schemaDigest()}`).digest("hex").slice(0, 32)

async function take(kept: string, folder: string, data: string, account: Account | undefined): Promise<void> {
  const draft = `${data}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  cpSync(join(kept, "database"), draft, { recursive: true })
  // Which PostgreSQL insists on.
  chmodSync(draft, 0o700)
  if (account)
    for (const path of ["", ...globSync("**", { cwd: draft })])
      chownSync(join(draft, path), account.uid, account.gid)
  await writePrivate(join(folder, "superuser"), readFileSync(join(kept, "superuser"), "utf8"))
  renameSync(draft, data)
}

/** Whole or not at all; if somebody else was faster, theirs is as good. That it cannot be kept is nobody's trouble. */
function keep(kept: string, folder: string, data: string): void {
  const parent = cacheFolder("databases")
  const draft = `${kept}.${process.pid}`
  try {
    mkdirSync(parent, { recursive: true, mode: 0o700 })
    mkdirSync(draft, { mode: 0o700 })
    cpSync(data, join(draft, "database"), { recursive: true })
    writeFileSync(join(draft, "superuser"), readFileSync(join(folder, "superuser")), { mode: 0o600 })
    removeOld(parent)
    renameSync(draft, kept)
  } catch {
    rmSync(draft, { recursive: true, force: true })
  }
}

function removeOld(parent: string): void {
  const oldest = Date.now() - DAYS_KEPT * 86_400_000
  for (const name of globSync("*", { cwd: parent }))
    if (statSync(join(parent, name)).mtimeMs < oldest)
      rmSync(join(parent, name), { recursive: true, force: true })
}

async function initialise(
  initdb: string,
  folder: string,
  data: string,
  password: string,
  account: Account | undefined,
): Promise<void> {
  const passwordFile = join(folder, "initdb-password")
  writeFileSync(passwordFile, password, { mode: 0o600 })
  mkdirSync(data, { recursive: true, mode: 0o700 })
  if (account) for (const path of [passwordFile, data]) chownSync(path, account.uid, account.gid)
  const who = ["--username=postgres", `--pwfile=${passwordFile}`, "--auth=scram-sha-256"]
  const locale = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
  try {
    await promisify(execFile)(initdb, ["-D", data, "--no-sync", ...who, ...locale], {
      ...account,
      cwd: folder,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error
    throw new NotUnderstood(`PostgreSQL does not run as root, and nobody else may enter ${folder}.`, {
      cause: error,
    })
  } finally {
    rmSync(passwordFile)
  }
}
