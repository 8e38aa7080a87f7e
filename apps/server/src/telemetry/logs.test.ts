import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"

const LOGS = new URL("./logs.ts", import.meta.url).href
const CANARY = "a canary that must not sing"

/** A logger writes to the standard output of its process, so each test reads that of a process of its own. */
function linesOf(script: string): readonly Record<string, unknown>[] {
  const program = `import { createLogger } from ${JSON.stringify(LOGS)}
    const CANARY = ${JSON.stringify(CANARY)}
    const log = createLogger("info", "api")
    ${script}`
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" })
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
}

describe("a log line", () => {
  it("is one JSON object with its time in UTC, its role and its words", () => {
    const lines = linesOf(`log.debug("not this"); log.info({ status: 200, ms: 3 }, "request")`)
    expect(lines).toEqual([
      {
        level: 30,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        role: "api",
        status: 200,
        ms: 3,
        msg: "request",
      },
    ])
  })

  it("[R39] strikes out what has a telling name, at the top and two levels below, in lists too", () => {
    const names = [
      "authorization",
      "cookie",
      "api-key",
      "apiKey",
      "password",
      "pin",
      "token",
      "secret",
      "email",
      "account_email",
      "name",
      "content",
    ]
    const lines = linesOf(`for (const name of ${JSON.stringify(names)}) {
      log.info({ [name]: CANARY })
      log.info({ body: { [name]: CANARY } })
      log.info({ request: { headers: { [name]: CANARY } } })
      log.info({ signatures: [{ [name]: CANARY }] })
    }`)
    expect(lines).toHaveLength(names.length * 4)
    for (const line of lines) {
      expect(JSON.stringify(line)).not.toContain(CANARY)
      expect(JSON.stringify(line)).toContain("[struck out]")
    }
  })

  it("keeps what is needed: ids, and an error with its stack and its causes", () => {
    const [line] = linesOf(`const cause = new Error("the socket broke")
      log.error({ business: "b1", job: "j1", error: new Error("no answer", { cause }) }, "fault")`)
    expect(line).toMatchObject({ level: 50, business: "b1", job: "j1", msg: "fault" })
    expect(line?.error).toMatchObject({
      message: "no answer",
      stack: expect.stringContaining("Error: no answer"),
      cause: { message: "the socket broke" },
    })
  })

  it("strikes out what an error carries beside its words", () => {
    const [line] = linesOf(`const cause = Object.assign(new Error("inner"), { email: CANARY })
      log.error({ error: Object.assign(new Error("outer", { cause }), { token: CANARY }) }, "fault")`)
    expect(JSON.stringify(line)).not.toContain(CANARY)
    expect(line?.error).toMatchObject({ message: "outer", cause: { message: "inner" } })
  })
})
