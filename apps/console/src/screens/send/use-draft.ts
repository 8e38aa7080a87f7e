import { useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect, useRef, useState } from "react"
import { api, must } from "../../api/client.ts"
import { isOff } from "../../api/problem.ts"
import { keepRequest } from "../../api/requests.ts"
import type { SignatureRequest } from "../../api/types.ts"
import { type Draft, draftOf, patchOf } from "./draft.ts"

export type Keeping = {
  readonly draft: Draft
  readonly change: (change: (draft: Draft) => Draft) => void
  /** Saves what is not saved yet; false when the service refused it. */
  readonly flush: () => Promise<boolean>
  readonly state: "saved" | "saving" | "unsaved"
  readonly error: unknown
}

const QUIET_MS = 700

/** A draft is kept on the server while it is written: a closed tab loses nothing. */
export function useDraft(request: SignatureRequest): Keeping {
  const client = useQueryClient()
  const [draft, setDraft] = useState(() => draftOf(request))
  const [state, setState] = useState<Keeping["state"]>("saved")
  const [error, setError] = useState<unknown>(null)
  const newest = useRef(draft)
  const saved = useRef(draft)
  const queue = useRef(Promise.resolve(true))
  const documentIds = useRef<readonly string[]>([])
  documentIds.current = request.documents.map(({ id }) => id)

  const save = useCallback(async () => {
    const given = newest.current
    if (given === saved.current) return true
    setState("saving")
    try {
      keepRequest(client, await patch(request.id, given, documentIds.current))
      saved.current = given
      setState(newest.current === given ? "saved" : "unsaved")
      setError(null)
      return true
    } catch (refused) {
      setState("unsaved")
      setError(refused)
      return false
    }
  }, [client, request.id])

  // One at a time: an older state never arrives after a newer one.
  const flush = useCallback(() => {
    queue.current = queue.current.then(save)
    return queue.current
  }, [save])

  const change = useCallback((by: (draft: Draft) => Draft) => {
    newest.current = by(newest.current)
    setDraft(newest.current)
    setState("unsaved")
  }, [])

  useEffect(() => {
    if (draft === saved.current) return
    const later = setTimeout(flush, QUIET_MS)
    return () => clearTimeout(later)
  }, [draft, flush])

  useEffect(() => () => void flush(), [flush])
  return { draft, change, flush, state, error }
}

async function patch(id: string, draft: Draft, documentIds: readonly string[]): Promise<SignatureRequest> {
  const expiry = { expires_at: draft.expiresAt === "" ? null : draft.expiresAt }
  const send = async (more: typeof expiry | object) =>
    must(
      await api.PATCH("/signature-requests/{id}", {
        params: { path: { id } },
        body: { ...patchOf(draft, documentIds), ...more },
      }),
    )
  try {
    return await send(draft.expiresAt === "" ? {} : expiry)
  } catch (error) {
    if (isOff(error) && draft.expiresAt !== "") return send({})
    throw error
  }
}
