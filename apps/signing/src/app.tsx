import type { View } from "./api.ts"
import { Branded } from "./parts/branding.tsx"
import { ChooseLanguage } from "./parts/language.tsx"
import { OfflineBanner } from "./parts/offline-banner.tsx"
import { Calm } from "./screens/calm.tsx"
import { Done } from "./screens/done.tsx"
import { ReleaseScreen } from "./screens/release.tsx"
import { ToSign } from "./screens/to-sign.tsx"
import { Working } from "./screens/working.tsx"
import { type Signature, useSignature } from "./use-signature.ts"
import { say, sayDate, useLanguage } from "./words.ts"

export function App() {
  const signature = useSignature()
  const language = useLanguage()
  if (language === null || signature.situation.kind === "loading") return <Opening />
  return (
    <ChooseLanguage value={signature.reload}>
      <Branded branding={brandingOf(signature)}>
        <OfflineBanner onRetry={signature.reload} />
        <Screen {...signature} />
      </Branded>
    </ChooseLanguage>
  )
}

const brandingOf = ({ situation }: Signature) =>
  situation.kind === "view" ? situation.view.branding : undefined

/** A page in its proportions, before anybody knows which one. */
function Opening() {
  const language = useLanguage()
  return (
    <div role="status" className="mx-auto max-w-3xl px-4 pt-24">
      <p className="pb-4 text-center text-(--muted)">{language === null ? "…" : say("loading")}</p>
      <div className="page skeleton aspect-[1/1.414]" />
    </div>
  )
}

function Screen({ situation, show, reload }: Signature) {
  switch (situation.kind) {
    case "loading":
      return null
    case "no-session":
      return <Calm heading={say("no-session.heading")} text={say("no-session.text")} />
    case "trouble":
      return (
        <Calm heading={say("trouble.heading")} text={say("trouble.text")}>
          <button type="button" className="button button-main" onClick={reload}>
            {say("try-again")}
          </button>
        </Calm>
      )
    case "view":
      return (
        <ScreenOf
          key={situation.view.signature}
          view={situation.view}
          signingFailed={situation.signingFailed}
          onView={show}
          onNoSession={reload}
        />
      )
  }
}

type ScreenOfProps = {
  readonly view: View
  readonly signingFailed: boolean
  readonly onView: (view: View) => void
  readonly onNoSession: () => void
}

function ScreenOf({ view, signingFailed, onView, onNoSession }: ScreenOfProps) {
  const { request, exits } = view
  switch (view.screen) {
    case "read":
    case "preview":
    case "identify":
      return <ToSign view={view} signingFailed={signingFailed} onView={onView} onNoSession={onNoSession} />
    case "working":
      return <Working view={view} />
    case "release":
      return view.release === null ? null : (
        <ReleaseScreen view={view} release={view.release} onView={onView} onNoSession={onNoSession} />
      )
    case "done":
      return <Done view={view} />
    case "declined":
      return (
        <Calm
          heading={say("declined.heading")}
          text={say("declined.text")}
          request={request}
          exit={exits.decline}
        />
      )
    case "not-your-turn":
      return (
        <Calm
          heading={say("not-your-turn.heading")}
          text={say("not-your-turn.text", { count: view.waitingFor })}
          request={request}
        />
      )
    case "ended": {
      const declined = request.status === "DECLINED"
      return <Calm {...ending(view)} request={request} exit={declined ? exits.decline : exits.error} />
    }
  }
}

function ending({ request: { status, expiresAt } }: View) {
  switch (status) {
    case "EXPIRED":
      return {
        heading: say("expired.heading"),
        text: expiresAt === null ? say("expired.text") : say("expired.on", { date: sayDate(expiresAt) }),
      }
    case "WITHDRAWN":
      return { heading: say("withdrawn.heading"), text: say("withdrawn.text") }
    case "DECLINED":
      return { heading: say("declined.heading"), text: say("declined.text") }
    case "ERROR":
      return { heading: say("failed.heading"), text: say("failed.text") }
    default:
      return { heading: say("ended.heading"), text: say("ended.text") }
  }
}
