import { useRef, useState } from "react"
import { goToProvider, Problem, type Release } from "../api.ts"
import { isolated, say } from "../words.ts"

type ProviderStepProps = {
  readonly provider: NonNullable<Release["provider"]>
  readonly onNoSession: () => void
}

/** The key lies at a provider: the person goes there, first to be known, then to release it for these documents. */
export function ProviderStep({ provider, onNoSession }: ProviderStepProps) {
  const { visit, problem } = provider
  const values = { title: isolated(provider.title), name: isolated(provider.name ?? "") }
  const going = useRef(false)
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  async function go() {
    if (going.current) return
    going.current = true
    setBusy(true)
    setTrouble(null)
    try {
      location.assign(await goToProvider())
    } catch (error) {
      going.current = false
      setBusy(false)
      if (error instanceof Problem && error.status === 401) onNoSession()
      else setTrouble(said(error))
    }
  }
  return (
    <>
      {problem !== null && (
        <p role="status" className="notice mt-4">
          {say(`provider.problem.${problem}`)}
        </p>
      )}
      <p className="mt-4">{say(`provider.${visit}.text`, values)}</p>
      <p role="alert" className="mt-3 font-semibold text-(--danger) empty:hidden">
        {trouble}
      </p>
      <button
        type="button"
        className="button button-main mt-4 w-full"
        aria-disabled={busy}
        onClick={() => void go()}
      >
        {busy ? say("one-moment") : say(`provider.${visit}.go`, values)}
      </button>
    </>
  )
}

function said(error: unknown): string {
  if (!(error instanceof Problem) || error.status === 0) return say("unreachable")
  if (error.key === "error.session.other") return say("another-shown")
  if (error.key === "error.signature.release_over") return say("release.over")
  return error.status === 503 ? say("provider.down") : say("refused")
}
