import { useCallback, useEffect, useState } from "react"
import { say } from "../../words.ts"
import { type Account, endSession, loadSessions, type Session } from "../api.ts"
import { useSending } from "../form.tsx"
import { sayTime } from "./say-time.ts"
import { SectionTrouble } from "./section.tsx"

export function Sessions({ account }: { readonly account: Account }) {
  const [sessions, setSessions] = useState<readonly Session[]>([])
  const { trouble, send } = useSending()
  const load = useCallback(() => loadSessions().then(setSessions, () => undefined), [])
  // A new password ends them all but one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded again whenever the account was.
  useEffect(() => void load(), [load, account])
  return (
    <section className="section" aria-labelledby="sessions">
      <h2 id="sessions">{say("sessions")}</h2>
      <p>{say("sessions.about")}</p>
      <SectionTrouble said={trouble} />
      <ul className="rows">
        {sessions.map(({ id, browser, network, seenAt, current }) => (
          <li key={id} className="row">
            <p>
              <span className="block font-semibold">
                {browser === "" ? say("sessions.unknown") : browser}
              </span>
              <span className="block text-sm text-(--muted)">
                {say("sessions.seen", { network, time: sayTime(seenAt) })}
              </span>
            </p>
            {current ? (
              <span className="font-semibold text-(--good)">{say("sessions.this")}</span>
            ) : (
              <button
                type="button"
                className="button button-quiet"
                aria-label={say("sessions.end-one", { browser, network })}
                onClick={() =>
                  send(async () => {
                    await endSession(id)
                    await load()
                  })
                }
              >
                {say("sessions.end")}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
