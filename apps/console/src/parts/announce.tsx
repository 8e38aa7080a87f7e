import { useSyncExternalStore } from "react"

const SHOWN_MS = 6_000

let said = ""
let isSeen = true
let ending: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Says in one sentence that something was done: seen for a moment, and read out. */
export function announce(sentence: string): void {
  say(sentence, true)
}

/** Read out only: for what everybody else sees happen. */
export function whisper(sentence: string): void {
  say(sentence, false)
}

function say(sentence: string, seen: boolean): void {
  clearTimeout(ending)
  isSeen = seen
  tell(sentence)
  ending = setTimeout(() => tell(""), SHOWN_MS)
}

function tell(sentence: string): void {
  said = sentence
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Announcer() {
  const sentence = useSyncExternalStore(listen, () => said)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-20 z-50 flex justify-center px-4 lg:bottom-6"
    >
      {sentence !== "" && (
        <p
          className={
            isSeen
              ? "max-w-lg rounded-xl bg-(--ink) px-4 py-3 font-semibold text-(--paper) shadow-xl"
              : "sr-only"
          }
        >
          {sentence}
        </p>
      )}
    </div>
  )
}
