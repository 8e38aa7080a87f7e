import { useEffect, useState } from "react"
import type { View } from "../api.ts"
import { OurFoot } from "../parts/branding.tsx"
import { Header } from "../parts/header.tsx"
import { ScreenTitle } from "../parts/screen-title.tsx"
import { Flourish } from "../parts/wordmark.tsx"
import { say } from "../words.ts"

const PATIENCE_MS = 15_000
const SPEAK_EVERY_MS = 10_000

/** The server works on its own from here; whoever closes the window misses nothing. */
export function Working({ view: { request, working } }: { readonly view: View }) {
  const long = useAfter(PATIENCE_MS)
  const many = working !== null && working.of > 1
  const number = working === null ? 0 : Math.min(working.done + 1, working.of)
  const progress = many ? say("working.progress", { number, count: working.of }) : ""
  const spoken = useSeldom(progress)
  return (
    <>
      <Header request={request} width="max-w-xl" />
      <main className="mx-auto max-w-xl px-4 py-2">
        <div className="card text-center">
          <Flourish />
          <div className="mt-6">
            <ScreenTitle windowTitle={say("working.window")}>{say("working.heading")}</ScreenTitle>
          </div>
          {many && (
            <div className="mt-4">
              <progress
                className="progress"
                max={working.of}
                value={working.done}
                aria-label={say("working.heading")}
              />
              <p aria-hidden="true" className="mt-1 text-sm text-(--muted)">
                {progress}
              </p>
            </div>
          )}
          <div role="status" className="mt-3">
            <p className="sr-only">{spoken}</p>
            <p>{say(waitingFor(working))}</p>
            {(long || working?.delayed === true) && <p className="mt-3">{say("working.may-close")}</p>}
          </div>
        </div>
      </main>
      <OurFoot />
    </>
  )
}

function waitingFor(working: View["working"]) {
  if (working?.delayed === true) return "working.delayed"
  return working?.othersSigning === true ? "working.others" : "working.wait"
}

function useAfter(ms: number): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return over
}

/** Fifty documents are counted on the screen and told now and then. */
function useSeldom(text: string): string {
  const [told, setTold] = useState({ text, at: 0 })
  useEffect(() => {
    const pause = told.at + SPEAK_EVERY_MS - performance.now()
    const timer = setTimeout(() => setTold({ text, at: performance.now() }), Math.max(0, pause))
    return () => clearTimeout(timer)
  }, [text, told.at])
  return told.text
}
