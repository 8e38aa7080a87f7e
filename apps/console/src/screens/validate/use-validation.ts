import { useLingui } from "@lingui/react"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { MAX_BYTES, type Validation, validatePdf } from "../../api/validation.ts"
import type { Language } from "../../language.ts"

/** Held in memory alone: whoever leaves the screen leaves nothing behind. */
export type Stage =
  | { readonly at: "choosing"; readonly refused: Refused | null }
  | { readonly at: "running"; readonly file: File; readonly share: number }
  | { readonly at: "done"; readonly done: Done }

export type Refused = { readonly file: File; readonly error: unknown }

export type Done = {
  /** The name is the browser's own: the service is not told it to keep, and says nothing of it. */
  readonly file: File
  readonly answer: Validation
  /** In which the answer says its sentences. */
  readonly language: Language
  readonly at: Date
  readonly until: Date
}

/** Decisions, "lifetime". */
const RESULT_LIVES_MS = 10 * 60_000

export const TOO_LARGE = "too large"

export function useValidation() {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const [stage, setStage] = useState<Stage>({ at: "choosing", refused: null })
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  const begin = async (file: File) => {
    // Before it is sent: nobody waits for fifty megabytes in vain.
    if (file.size > MAX_BYTES) return setStage({ at: "choosing", refused: { file, error: TOO_LARGE } })
    const language = i18n.locale as Language
    const controller = new AbortController()
    running.current = controller
    setStage({ at: "running", file, share: 0 })
    const onProgress = (share: number) =>
      setStage((now) => (now.at === "running" && now.file === file ? { ...now, share } : now))
    try {
      const answer = await validatePdf(file, language, { onProgress, signal: controller.signal })
      const at = new Date()
      const until = new Date(at.getTime() + RESULT_LIVES_MS)
      setStage({ at: "done", done: { file, answer, language, at, until } })
    } catch (error) {
      if (!controller.signal.aborted) setStage({ at: "choosing", refused: { file, error } })
    }
    // What is left of this month has changed, or is why it was refused.
    await client.invalidateQueries({ queryKey: ["validation", "credits"] })
  }

  const startAnew = () => {
    running.current?.abort()
    setStage({ at: "choosing", refused: null })
  }
  return { stage, begin, startAnew }
}
