import { spawn } from "node:child_process"
import { environment } from "../environment.ts"
import { Failed } from "../failed.ts"

/** PostgreSQL's own programs, from PATH. The password goes by the environment: words can be seen by others on the machine. */
export async function pgProgram(
  program: "pg_dump" | "pg_restore",
  url: string,
  words: readonly string[],
): Promise<void> {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ""
  const { PATH = "", HOME = "", LANG = "C.UTF-8" } = environment()
  const env = { PATH, HOME, LANG, ...(password !== "" && { PGPASSWORD: password }) }
  const child = spawn(program, ["--dbname", address.href, ...words], {
    env,
    stdio: ["ignore", "inherit", "pipe"],
  })
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    said = (said + piece).slice(-2_000)
  })
  await new Promise<void>((done, fail) => {
    child.once("error", () =>
      fail(
        new Failed(
          `${program} is not on PATH. It comes with PostgreSQL, of the version of the server or newer.`,
        ),
      ),
    )
    child.once("close", (code) =>
      code === 0 ? done() : fail(new Failed(`${program} ended with ${code}: ${said.trim()}`)),
    )
  })
}
