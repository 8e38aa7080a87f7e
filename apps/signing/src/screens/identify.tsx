import type { ReactNode } from "react"
import { beginIdentification, type Identification, type Problem, type View } from "../api.ts"
import { OurFoot } from "../parts/branding.tsx"
import { Header } from "../parts/header.tsx"
import { ScreenTitle } from "../parts/screen-title.tsx"
import { useGoing } from "../parts/use-going.ts"
import { isolated, say } from "../words.ts"

type IdentifyProps = {
  readonly view: View
  readonly identification: Identification
  readonly onNoSession: () => void
  readonly onDocument: () => void
}

/** Who somebody is, by a provider: why, how long it takes and what is needed, before anybody is sent anywhere. */
export function Identify({ view, identification, onNoSession, onDocument }: IdentifyProps) {
  const { key, canGo } = situationOf(identification)
  const heading = say(`identify.${key}.heading`)
  return (
    <>
      <Header request={view.request} width="max-w-xl" />
      <main className="mx-auto max-w-xl px-4 py-2">
        <div className="card">
          {/* A new situation is a new screen: its heading is read out. */}
          <ScreenTitle key={key} windowTitle={heading}>
            {heading}
          </ScreenTitle>
          <p className="mt-3 line-clamp-3 font-semibold" dir="auto">
            {view.request.title}
          </p>
          <p role="status" className="mt-3">
            {say(`identify.${key}.text`, valuesOf(view, identification))}
          </p>
          {key === "begin" && <Needed />}
          {canGo && (
            <Go provider={identification.provider} again={key !== "begin"} onNoSession={onNoSession} />
          )}
          <button type="button" className="button button-quiet mt-4 w-full" onClick={onDocument}>
            {say("identify.document")}
          </button>
        </div>
      </main>
      <OurFoot />
    </>
  )
}

type Situation = { readonly key: string; readonly canGo: boolean }

function situationOf({ status, reason, returned, triesLeft }: Identification): Situation {
  const canGo = triesLeft > 0
  switch (status) {
    case "PENDING_REVIEW":
      if (reason === "name-differs" || reason === "country-differs") return { key: reason, canGo: false }
      return { key: "review", canGo: false }
    case "REJECTED":
      if (reason === "other-person" || reason === "sender-refused") return { key: reason, canGo }
      return { key: reason === "refused" ? "refused" : "failed", canGo }
    case "STARTED":
      return returned ? { key: "asking", canGo: false } : { key: "started", canGo }
    case "EXPIRED":
      return { key: "expired", canGo }
    default:
      return { key: "begin", canGo }
  }
}

const valuesOf = ({ request }: View, { provider, stated, name }: Identification) => ({
  sender: isolated(request.sender),
  provider: isolated(provider),
  stated: isolated(stated),
  name: isolated(name ?? ""),
})

function Needed(): ReactNode {
  return (
    <ul className="mt-3 list-disc space-y-1 pl-5">
      {["identify.need.document", "identify.need.time", "identify.need.return"].map((id) => (
        <li key={id}>{say(id)}</li>
      ))}
    </ul>
  )
}

type GoProps = { readonly provider: string; readonly again: boolean; readonly onNoSession: () => void }

function Go({ provider, again, onNoSession }: GoProps) {
  const { busy, trouble, go } = useGoing(beginIdentification, onNoSession, told)
  return (
    <>
      <p role="alert" className="mt-3 font-semibold text-(--danger)">
        {trouble}
      </p>
      <button type="button" className="button button-main mt-4 w-full" aria-disabled={busy} onClick={go}>
        {busy
          ? say("one-moment")
          : say(again ? "identify.again" : "identify.go", { provider: isolated(provider) })}
      </button>
    </>
  )
}

const told = ({ status }: Problem): string => say(status === 503 ? "identify.down" : "refused")
