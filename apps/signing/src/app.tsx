import type { View } from "./api.ts"
import { OfflineBanner } from "./parts/offline-banner.tsx"
import { Calm } from "./screens/calm.tsx"
import { Done } from "./screens/done.tsx"
import { Preview } from "./screens/preview.tsx"
import { Read } from "./screens/read.tsx"
import { Working } from "./screens/working.tsx"
import { type Signature, useSignature } from "./use-signature.ts"
import { words } from "./words.ts"

export function App() {
  const signature = useSignature()
  return (
    <>
      <OfflineBanner onRetry={signature.reload} />
      <Screen {...signature} />
    </>
  )
}

function Screen({ situation, show, reload }: Signature) {
  switch (situation.kind) {
    case "loading":
      return (
        <p role="status" className="p-8 text-center text-(--muted)">
          {words.loading}
        </p>
      )
    case "no-session":
      return <Calm {...words.calm.noSession} />
    case "trouble":
      return <Calm {...words.calm.trouble} onRetry={reload} />
    case "view":
      return (
        <ScreenOf
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
  switch (view.screen) {
    case "read":
      return <Read view={view} signingFailed={signingFailed} onView={onView} onNoSession={onNoSession} />
    case "preview":
      return <Preview view={view} />
    case "working":
      return <Working view={view} />
    case "done":
      return <Done view={view} />
    case "declined":
      return <Calm {...words.calm.declined} request={view.request} />
    case "not-your-turn":
      return <Calm {...words.calm.notYourTurn(view.waitingFor)} request={view.request} />
    case "ended":
      return <Calm {...ending(view.request.status)} request={view.request} />
  }
}

function ending(status: string) {
  if (status === "EXPIRED") return words.calm.expired
  if (status === "WITHDRAWN") return words.calm.withdrawn
  if (status === "DECLINED") return words.calm.declined
  if (status === "ERROR") return words.calm.failed
  return words.calm.ended
}
