import { useState } from "react"
import { say } from "../../words.ts"
import { type AccountEvent, loadEvents } from "../api.ts"
import { sayTime } from "./say-time.ts"

/** Everything that was done with the account; fetched by whoever wants to see it. */
export function Events() {
  const [events, setEvents] = useState<readonly AccountEvent[]>([])
  return (
    <section className="section" aria-labelledby="events">
      <h2 id="events">{say("events")}</h2>
      <details
        onToggle={(event) => {
          if (event.currentTarget.open) void loadEvents().then(setEvents, () => undefined)
        }}
      >
        <summary className="link inline-flex min-h-11 cursor-pointer items-center">
          {say("events.show")}
        </summary>
        <ul className="mt-2 grid gap-2">
          {events.map(({ at, act, browser, network }) => (
            <li key={`${at} ${act}`} className="border-t border-(--line) pt-2">
              <span className="block">{say(`act.${act}`)}</span>
              <span className="block text-sm text-(--muted)">
                {[sayTime(at), browser, network].filter((part) => part !== "").join(" · ")}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
