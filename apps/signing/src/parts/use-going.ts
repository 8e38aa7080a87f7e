import { useRef, useState } from "react"
import { Problem } from "../api.ts"
import { say } from "../words.ts"

export type Going = { readonly busy: boolean; readonly trouble: string | null; readonly go: () => void }

/** Leads the browser to somebody else's page, once for each press; `told` says what a refusal means there. */
export function useGoing(
  address: () => Promise<string>,
  onNoSession: () => void,
  told: (problem: Problem) => string,
): Going {
  const going = useRef(false)
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  async function go() {
    if (going.current) return
    going.current = true
    setBusy(true)
    setTrouble(null)
    try {
      location.assign(await address())
    } catch (error) {
      going.current = false
      setBusy(false)
      if (error instanceof Problem && error.status === 401) onNoSession()
      else setTrouble(said(error, told))
    }
  }
  return { busy, trouble, go: () => void go() }
}

function said(error: unknown, told: (problem: Problem) => string): string {
  if (!(error instanceof Problem) || error.status === 0) return say("unreachable")
  return error.key === "error.session.other" ? say("another-shown") : told(error)
}
