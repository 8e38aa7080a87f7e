import { useEffect, useState } from "react"
import type { Exit } from "../api.ts"
import { isolated, say } from "../words.ts"

/** Often enough to be ready, seldom enough to be borne. */
const SPOKEN_SECONDS = [45, 30, 15, 10, 5]

/**
 * The way back to where the person came from. The address stands in a link that anybody can write, so its host is
 * always named, and nobody is carried off who would rather stay (WCAG 2.2, 2.2.1).
 */
export function ExitNotice({ exit }: { readonly exit: Exit }) {
  const [stays, setStays] = useState(exit.ask)
  return (
    <section className="mt-6 border-t border-(--line) pt-5">
      {exit.ask ? (
        <p>{say("exit.ask", { host: isolated(exit.host) })}</p>
      ) : stays ? (
        <p role="status">{say("exit.paused")}</p>
      ) : (
        <Countdown exit={exit} />
      )}
      <div className="mt-4 grid gap-3 sm:grid-cols-2">
        {!stays && (
          <button type="button" className="button button-quiet" onClick={() => setStays(true)}>
            {say("exit.stay")}
          </button>
        )}
        <a className="button button-quiet sm:order-2" href={exit.url} rel="noreferrer">
          {exit.ask || stays ? say("exit.go", { host: isolated(exit.host) }) : say("exit.now")}
        </a>
      </div>
    </section>
  )
}

/** Stands still while nobody looks: what is not seen cannot be read in time. */
function Countdown({ exit: { url, host, seconds } }: { readonly exit: Exit }) {
  const [left, setLeft] = useState(seconds)
  const [spoken, setSpoken] = useState(seconds)
  useEffect(() => {
    const timer = setInterval(() => {
      // It stays at 0: whoever is asked to go twice begins anew, and a slow site would never be reached.
      if (document.visibilityState === "visible") setLeft((before) => Math.max(before - 1, 0))
    }, 1_000)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (SPOKEN_SECONDS.includes(left)) setSpoken(left)
    if (left === 0) location.assign(url)
  }, [left, url])
  const words = (count: number) => say("exit.returns", { host: isolated(host), seconds: count })
  return (
    <>
      <p aria-hidden="true">{words(left)}</p>
      <p role="status" className="sr-only">
        {words(spoken)}
      </p>
    </>
  )
}
