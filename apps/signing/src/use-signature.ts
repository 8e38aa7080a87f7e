import { useCallback, useEffect, useState } from "react"
import { EVENTS_ADDRESS, loadView, nowShown, Problem, type View } from "./api.ts"
import { catalogues } from "./locales/catalogues.ts"
import { fetchFirstPage } from "./read/page-picture.tsx"
import { browserLanguage, speak } from "./words.ts"

export type Situation =
  | { readonly kind: "loading" }
  | { readonly kind: "view"; readonly view: View; readonly signingFailed: boolean }
  | { readonly kind: "no-session" }
  | { readonly kind: "trouble" }

export type Signature = {
  readonly situation: Situation
  readonly show: (view: View) => void
  readonly reload: () => void
}

const POLL_MIN_MS = 1_000
const POLL_MAX_MS = 5_000

/** Asks the server where the signature stands, and goes on listening while the server is at work. */
export function useSignature(): Signature {
  const [situation, setSituation] = useState<Situation>({ kind: "loading" })

  const show = useCallback((view: View) => {
    nowShown(view)
    setSituation((before) => ({ kind: "view", view, signingFailed: fellBack(before, view) }))
  }, [])
  const load = useCallback(async () => {
    // Most people read in their browser's language: its words come while the server is asked which it shall be.
    catalogues[browserLanguage()]().catch(() => undefined)
    try {
      const view = await loadView()
      fetchFirstPage(view)
      await speak(view.language, catalogues)
      show(view)
    } catch (error) {
      await speak(browserLanguage(), catalogues).catch(() => undefined)
      setSituation((before) => afterFailure(before, error))
    }
  }, [show])
  const reload = useCallback(() => void load(), [load])

  useEffect(reload, [reload])
  useEffect(() => {
    addEventListener("online", reload)
    return () => removeEventListener("online", reload)
  }, [reload])

  const unsettled = situation.kind === "view" && isUnsettled(situation.view)
  useEffect(() => (unsettled ? listen(show, load) : undefined), [unsettled, show, load])

  return { situation, show, reload }
}

/** The server was signing and is not any more, without a signature: the person must know. */
function fellBack(before: Situation, view: View): boolean {
  if (before.kind !== "view" || view.screen !== "read") return false
  return before.view.screen === "working" || before.signingFailed
}

/** What is on the screen stays there through a hiccup; only a lost session takes it away. */
function afterFailure(before: Situation, error: unknown): Situation {
  if (error instanceof Problem && error.status === 401) return { kind: "no-session" }
  return before.kind === "view" ? before : { kind: "trouble" }
}

function isUnsettled({ screen, waitingFor, request, identification }: View): boolean {
  // Somebody else decides, or this person does in another window.
  if (screen === "identify") return identification?.status !== "REJECTED"
  return (
    ["working", "release"].includes(screen) ||
    (screen === "done" && waitingFor === 0 && request.status === "OPEN")
  )
}

/** The server tells us; where it cannot (a proxy that holds events back, an old browser), we ask. */
function listen(show: (view: View) => void, load: () => Promise<void>): () => void {
  if (typeof EventSource === "undefined") return poll(load)
  const events = new EventSource(EVENTS_ADDRESS)
  let stop = () => events.close()
  events.addEventListener("view", (event) => show(JSON.parse(event.data)))
  events.addEventListener("end", () => events.close())
  events.onerror = () => {
    events.close()
    stop = poll(load)
    events.onerror = null
  }
  return () => stop()
}

function poll(load: () => Promise<void>): () => void {
  let delayMs = POLL_MIN_MS
  let timer = setTimeout(tick, delayMs)
  let stopped = false

  async function tick() {
    await load()
    if (stopped) return
    delayMs = Math.min(delayMs * 1.5, POLL_MAX_MS)
    timer = setTimeout(tick, delayMs)
  }

  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
