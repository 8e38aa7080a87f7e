// A malware scanner of our own: clamd with two signatures made by hand, and the limits that our documents need.
import { existsSync } from "node:fs"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { comesTrue, isAlive, launch, portAgain, stop } from "./process.ts"
import type { Service } from "./state.ts"

/** Any file that holds this text is malware to this scanner; so is one that holds EICAR's. */
export const plantedText = "PARAPH-TEST-PLANTED-MALWARE"

export async function startClamd(dir: string, earlier?: Service): Promise<Service> {
  const [database, temporary] = [join(dir, "clamd", "database"), join(dir, "clamd", "temporary")]
  // What a killed clamd left behind is plain copies of documents.
  await rm(temporary, { recursive: true, force: true })
  for (const folder of [database, temporary]) await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeSignatures(database)
  const logFile = join(dir, "log", "clamd.log")
  const port = await portAgain(earlier?.port)
  const configFile = join(dir, "clamd", "clamd.conf")
  await writeFile(configFile, config(database, temporary, port), { mode: 0o600 })

  const running = await launch({ command: program(), args: ["--config-file", configFile], logFile })
  const decided = async () => (await clamdAnswers(port)) || !(await isAlive(running))
  await comesTrue(decided, 20_000)
  if (!(await clamdAnswers(port))) {
    await stop(running)
    throw new Error(`clamd does not start; see ${logFile}`)
  }
  return { port, process: running }
}

export function clamdAnswers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("zPING\0"))
    const say = (answers: boolean) => {
      socket.destroy()
      resolve(answers)
    }
    socket.setTimeout(2_000, () => say(false))
    socket.once("data", (answer) => say(answer.toString() === "PONG\0"))
    socket.once("error", () => say(false))
    socket.once("close", () => say(false))
  })
}

export function clamdUrl(port: number): string {
  return `tcp://127.0.0.1:${port}`
}

/** Debian keeps it out of the way of people who are not root. */
function program(): string {
  const debian = "/usr/sbin/clamd"
  return existsSync(debian) ? debian : "clamd"
}

/** The forms are ClamAV's: name, kind of file, offset and hexadecimal body; MD5, size and name. */
async function writeSignatures(database: string): Promise<void> {
  const eicar = `X5O!P%@AP[4\\PZX54(P^)7CC)7}$${"EICAR-STANDARD-ANTIVIRUS-TEST-FILE!"}$H+H*`
  const anywhere = (name: string, text: string) => `${name}:0:*:${Buffer.from(text).toString("hex")}\n`
  const bodies = anywhere("Paraph.Test.Planted", plantedText) + anywhere("Paraph.Test.Eicar", eicar)
  await writeFile(join(database, "paraph.ndb"), bodies)
  await writeFile(join(database, "paraph.hdb"), "44d88612fea8a8f36de82e1278abb02f:68:Paraph.Test.EicarFile\n")
}

/** A port, not a socket file: the path of one is limited to 107 bytes, and a checkout may lie deep. */
function config(database: string, temporary: string, port: number): string {
  return `Foreground yes
TCPAddr 127.0.0.1
TCPSocket ${port}
DatabaseDirectory ${database}
TemporaryDirectory ${temporary}
SelfCheck 0

# A document has up to 112.5 MB. Raising the first of these alone makes a large file clean unseen (security, finding 6).
StreamMaxLength 256M
MaxFileSize 256M
AlertExceedsMax yes
# Of what is unpacked from one document. Each stream of a PDF is a file, and long documents have tens of thousands.
MaxScanSize 1024M
MaxFiles 100000
MaxScanTime 60000
# Above these two, part of the work is left out and nothing is said.
PCREMaxFileSize 256M
MaxEmbeddedPE 256M

# More than the server asks for at once, so that a small document never waits behind large ones.
MaxThreads 8
# What was clean once is known again by its MD5, for which anybody can make twins.
DisableCache yes
`
}
