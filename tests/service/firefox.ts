import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Tab } from "./tab.ts"

type Size = { readonly width: number; readonly height: number }

/** It speaks the browser's language, and fetches nothing of its own while it is watched. */
const PREFERENCES = {
  "intl.accept_languages": "en",
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
  "app.normandy.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
}

/** Debian's Firefox, without a window, commanded by WebDriver BiDi, which it speaks by itself. */
export async function startFirefox({ width, height }: Size): Promise<Tab> {
  const profile = await mkdtemp(join(tmpdir(), "paraph-firefox-"))
  const wishes = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  )
  await writeFile(join(profile, "user.js"), wishes.join(""))
  const words = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
  const child = spawn(process.env.FIREFOX ?? "firefox-esr", [...words, "about:blank"], {
    env: { PATH: process.env.PATH, HOME: profile, LANG: "C.UTF-8" },
    stdio: ["ignore", "ignore", "pipe"],
  })
  const exit = once(child, "exit")
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill()
    await exit
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const command = await newSession(await Promise.race([addressOf(child.stderr), died(exit)]))
    const tree = (await command("browsingContext.getTree", {})) as { contexts: { context: string }[] }
    const context = tree.contexts[0]?.context
    await command("browsingContext.setViewport", { context, viewport: { width, height } })
    return {
      name: "Firefox",
      goto: async (url) =>
        void (await command("browsingContext.navigate", { context, url, wait: "complete" })),
      read: async (expression) => {
        const target = { context }
        // As text: BiDi describes an object member by member, and JSON is what WebDriver answers.
        const answer = await command("script.evaluate", {
          expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
          target,
          awaitPromise: true,
        })
        const { result, exceptionDetails } = answer as {
          result?: { value: string }
          exceptionDetails?: object
        }
        if (result === undefined) throw new Error(`Firefox: ${JSON.stringify(exceptionDetails)}`)
        return JSON.parse(result.value)
      },
      act: async (actions) => void (await command("input.performActions", { context, actions })),
      picture: async () => {
        const { data } = (await command("browsingContext.captureScreenshot", { context })) as { data: string }
        return Buffer.from(data, "base64")
      },
      close: end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function addressOf(said: AsyncIterable<Buffer>): Promise<string> {
  let text = ""
  for await (const piece of said) {
    text += piece.toString()
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(text)?.[1]
    if (address !== undefined) return address
  }
  throw new Error(`Firefox said no address, but: ${text}`)
}

const died = (exit: Promise<unknown[]>): Promise<never> =>
  exit.then(([code]) => {
    throw new Error(`Firefox ended with ${code}.`)
  })

type Command = (method: string, params: object) => Promise<unknown>
type Answer = { id?: number; result?: unknown; error?: string; message?: string }

async function newSession(address: string): Promise<Command> {
  const socket = new WebSocket(`${address}/session`)
  await once(socket, "open")
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  })
  socket.addEventListener("close", () => {
    for (const settle of waiting.values()) settle({ error: "gone", message: "Firefox hung up." })
  })
  let last = 0
  const command: Command = async (method, params) => {
    last += 1
    const id = last
    const answer = await new Promise<Answer>((settle) => {
      waiting.set(id, settle)
      socket.send(JSON.stringify({ id, method, params }))
    })
    waiting.delete(id)
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error}, ${answer.message}`)
    return answer.result
  }
  await command("session.new", { capabilities: {} })
  return command
}
