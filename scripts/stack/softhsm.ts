// SoftHSM2 stands in for the HSM: a folder of tokens of our own, one for demo keys and one for production keys.
import { existsSync, globSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { run } from "./process.ts"
import { secret } from "./secrets.ts"

export const tokens = { demo: "paraph-demo", production: "paraph-production" } as const

export async function makeTokens(dir: string): Promise<void> {
  await mkdir(join(dir, "softhsm", "tokens"), { recursive: true, mode: 0o700 })
  await writeFile(
    confFile(dir),
    `directories.tokendir = ${join(dir, "softhsm", "tokens")}\nobjectstore.backend = file\nlog.level = ERROR\n`,
  )
  const { stdout } = await run("softhsm2-util", ["--show-slots"], { env: environment(dir) })
  // One after the other: each takes "the free slot", which is the same one for both.
  for (const kind of ["demo", "production"] as const) {
    if (new RegExp(`Label:\\s+${tokens[kind]}\\s*$`, "m").test(stdout)) continue
    const pin = await secret(dir, `pin-${kind}`)
    // The security officer's PIN would only unblock the user's; both are thrown away with the stack.
    const pins = ["--pin", pin, "--so-pin", pin]
    await run("softhsm2-util", ["--init-token", "--free", "--label", tokens[kind], ...pins], {
      env: environment(dir),
    })
  }
}

export function confFile(dir: string): string {
  return join(dir, "softhsm", "softhsm2.conf")
}

export function pkcs11Module(): string {
  const found = [
    process.env.PKCS11_MODULE ?? "",
    "/usr/lib/softhsm/libsofthsm2.so",
    ...globSync("/usr/lib/*/softhsm/libsofthsm2.so"),
    "/usr/local/lib/softhsm/libsofthsm2.so",
    "/opt/homebrew/lib/softhsm/libsofthsm2.so",
  ].find((path) => path && existsSync(path))
  if (!found) throw new Error("No SoftHSM2 found (libsofthsm2.so). Run: npm run setup")
  return found
}

function environment(dir: string): NodeJS.ProcessEnv {
  return { ...process.env, SOFTHSM2_CONF: confFile(dir) }
}
