import { useRef, useState } from "react"
import { Problem, type View } from "../api.ts"
import { say } from "../words.ts"

export type Press = {
  readonly busy: boolean
  readonly trouble: string | null
  readonly send: (act: () => Promise<View>) => void
}

/** Sends one press at a time: a double tap signs once, even before React has drawn the busy button. */
export function usePress(
  onView: (view: View) => void,
  onNoSession: () => void,
  told: (problem: Problem) => string | Promise<string> = () => say("refused"),
): Press {
  const sending = useRef(false)
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)

  async function run(act: () => Promise<View>) {
    if (sending.current) return
    sending.current = true
    setBusy(true)
    setTrouble(null)
    try {
      onView(await act())
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 0) setTrouble(say("unreachable"))
      else if (error.status === 401) onNoSession()
      else if (error.key === "error.session.other") setTrouble(say("another-shown"))
      else setTrouble(await told(error))
    } finally {
      sending.current = false
      setBusy(false)
    }
  }
  return { busy, trouble, send: (act) => void run(act) }
}
