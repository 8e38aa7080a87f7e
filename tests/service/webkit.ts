import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "./settings.ts"
import type { Tab } from "./tab.ts"
import { until } from "./until.ts"

type Size = { readonly width: number; readonly height: number }

/** Debian's WebKitGTK, commanded by W3C WebDriver over HTTP. It needs a screen, so it is given one that nobody sees. */
export async function startWebKit({ width, height }: Size): Promise<Tab> {
  const home = await mkdtemp(join(tmpdir(), "paraph-webkit-"))
  const screen = await startScreen()
  const port = await freePort()
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], {
    // Of its own: what it keeps of one visit must not be found by the next one.
    env: { PATH: process.env.PATH, HOME: home, DISPLAY: screen.display, LANG: "C.UTF-8", LANGUAGE: "en" },
    stdio: "ignore",
  })
  const end = async () => {
    await Promise.all([gone(driver), gone(screen.child)])
    await rm(home, { recursive: true, force: true })
  }
  try {
    const command = await newSession(`http://127.0.0.1:${port}`)
    await command("POST", "/window/rect", { x: 0, y: 0, width, height })
    return {
      name: "WebKit",
      goto: async (url) => void (await command("POST", "/url", { url })),
      read: (expression) => command("POST", "/execute/sync", { script: `return (${expression})`, args: [] }),
      act: async (actions) => void (await command("POST", "/actions", { actions })),
      picture: async () => Buffer.from(String(await command("GET", "/screenshot")), "base64"),
      close: async () => {
        await command("DELETE", "").catch(() => undefined)
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

type Command = (method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<unknown>

async function newSession(url: string): Promise<Command> {
  await until("WebKit's driver answers", () =>
    fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  const at =
    (base: string): Command =>
    async (method, path, body) => {
      const response = await fetch(base + path, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const { value } = (await response.json()) as { value: unknown }
      if (!response.ok) throw new Error(`WebKit answered ${path} with ${JSON.stringify(value)}.`)
      return value
    }
  const { sessionId } = (await at(url)("POST", "/session", { capabilities: {} })) as { sessionId: string }
  return at(`${url}/session/${sessionId}`)
}

/** A screen in memory; it chooses a number that is free and says which. */
async function startScreen(): Promise<{ child: ChildProcess; display: string }> {
  const child = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  })
  const said = child.stdio[3]
  if (!said) throw new Error("The screen cannot say its number.")
  const [number] = (await Promise.race([
    once(said, "data"),
    once(child, "exit").then(([code]) => {
      throw new Error(`There is no screen: Xvfb ended with ${code}.`)
    }),
  ])) as [Buffer]
  return { child, display: `:${number.toString().trim()}` }
}

async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, "exit")
  child.kill()
  await exit
}
