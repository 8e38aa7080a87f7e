import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"

/** A database in the form in which ClamAV publishes its own, daily.cvd, but unsigned: 512 bytes about it, then files. */
export async function writeDatedSignatures(databaseFolder: string, published: Date): Promise<void> {
  const work = await mkdtemp(join(databaseFolder, "making-"))
  const seconds = published.getTime() / 1_000
  const about = (digest: string) =>
    `ClamAV-VDB:${published.toUTCString().slice(5, 16)} 00-00 +0000:1:1:90:${digest}:X:paraph:${seconds}`
  const signatures = "Paraph.Test.Dated:0:*:50415241504820444154454400\n"
  const digest = createHash("sha256").update(signatures).digest("hex")
  await writeFile(join(work, "daily.ndb"), signatures)
  await writeFile(
    join(work, "daily.info"),
    `${about("X")}\ndaily.ndb:${Buffer.byteLength(signatures)}:${digest}\n`,
  )
  const archive = join(work, "files.tar.gz")
  const run = promisify(execFile)
  await run("tar", ["--format=ustar", "-C", work, "-czf", archive, "daily.info", "daily.ndb"])

  const files = await readFile(archive)
  const header = about(createHash("md5").update(files).digest("hex")).padEnd(512)
  await writeFile(join(work, "daily.cud"), Buffer.concat([Buffer.from(header), files]))
  await rename(join(work, "daily.cud"), join(databaseFolder, "daily.cud"))
  await rm(work, { recursive: true })
}
