import { useEffect, useState } from "react"
import { leaveRelease, type Release, type View } from "../api.ts"
import { OurFoot } from "../parts/branding.tsx"
import { Header } from "../parts/header.tsx"
import { ScreenTitle } from "../parts/screen-title.tsx"
import { usePress } from "../parts/use-press.ts"
import { CodeFactor } from "../release/code-factor.tsx"
import { PasskeyFactor } from "../release/passkey-factor.tsx"
import { ProviderStep } from "../release/provider-step.tsx"
import { SmsFactor } from "../release/sms-factor.tsx"
import { isolated, say } from "../words.ts"

type ReleaseScreenProps = {
  readonly view: View
  readonly release: Release
  readonly onView: (view: View) => void
  readonly onNoSession: () => void
}

/** The last step where the signer's own key signs: a proof that it is them, for this document and no other. */
export function ReleaseScreen({ view, release, onView, onNoSession }: ReleaseScreenProps) {
  const { request, signer, documents } = view
  const back = usePress(onView, onNoSession)
  const common = { release, onView, onNoSession }
  const { provider } = release
  const heading = provider === null ? say("release.heading") : say(`provider.${provider.visit}.heading`)
  return (
    <>
      <Header request={request} width="max-w-xl" />
      <main className="mx-auto max-w-xl px-4 py-2 pb-10">
        <div className="card">
          <ScreenTitle key={heading} windowTitle={heading}>
            {heading}
          </ScreenTitle>
          <div className="summary-card mt-4">
            <p className="line-clamp-3 font-semibold" dir="auto">
              {request.title}
            </p>
            {documents.length > 1 && (
              <p className="text-sm text-(--muted)">{say("read.documents", { count: documents.length })}</p>
            )}
          </div>
          {provider === null ? (
            <>
              <p className="mt-4">{say("release.why", { name: isolated(signer.name ?? signer.email) })}</p>
              <div className="mt-5 grid gap-6">
                {release.kinds.includes("passkey") && <PasskeyFactor {...common} />}
                {release.kinds.includes("totp") && (
                  <CodeFactor {...common} alone={!release.kinds.includes("passkey")} />
                )}
                {release.sms !== null && <SmsFactor {...common} sms={release.sms} />}
              </div>
            </>
          ) : (
            <ProviderStep key={provider.visit} provider={provider} onNoSession={onNoSession} />
          )}
          <TimeLeft until={release.until} onOver={onNoSession} />
          <button
            type="button"
            className="button button-quiet mt-4 w-full"
            aria-disabled={back.busy}
            onClick={() => back.send(leaveRelease)}
          >
            {say("release.leave")}
          </button>
          <p role="alert" className="mt-3 font-semibold text-(--danger) empty:hidden">
            {back.trouble}
          </p>
        </div>
      </main>
      <OurFoot />
    </>
  )
}

const MINUTE_MS = 60_000
const MINUTES_TOLD = 60

/** In minutes: nobody is hurried by seconds, and a screen reader is not told each of them (WCAG 2.2, 2.2.1). */
function TimeLeft({ until, onOver }: { readonly until: string; readonly onOver: () => void }) {
  const [now, setNow] = useState(Date.now)
  const leftMs = Date.parse(until) - now
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const isOver = leftMs <= 0
  useEffect(() => {
    if (isOver) onOver()
  }, [isOver, onOver])
  const count = Math.max(1, Math.ceil(leftMs / MINUTE_MS))
  // Days hurry nobody.
  if (count > MINUTES_TOLD) return null
  return <p className="mt-5 text-sm text-(--muted)">{say("release.time", { count })}</p>
}
