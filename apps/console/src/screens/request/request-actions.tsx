import { useLingui } from "@lingui/react"
import { useNavigate } from "@tanstack/react-router"
import { Bell, Pencil, PenLine, Trash2, Undo2 } from "lucide-react"
import { useState } from "react"
import { ProblemError } from "../../api/problem.ts"
import { actions, useAction } from "../../api/requests.ts"
import type { SignatureRequest } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { sayClock } from "../../parts/said.ts"
import { SaveAsTemplate } from "../templates/save-as-template.tsx"
import { DeleteSheet } from "./delete-sheet.tsx"
import { EditSheet } from "./edit-sheet.tsx"
import { WithdrawSheet } from "./withdraw-sheet.tsx"

type RequestActionsProps = { readonly request: SignatureRequest; readonly mayChange: boolean }

export function RequestActions({ request, mayChange }: RequestActionsProps) {
  const { i18n } = useLingui()
  const navigate = useNavigate()
  const [sheet, setSheet] = useState<"edit" | "withdraw" | "delete" | null>(null)
  const { id, status_overall: status } = request
  const isOpen = status === "OPEN"
  // Whose document bears signatures already is not sent once more.
  const isUnsigned = request.signatures.every(({ status_code }) => status_code !== "SIGNED")
  if (!mayChange)
    return (
      <p className="-mt-2 mb-5 text-(--muted)">{i18n._("You can see this request, but not change it.")}</p>
    )
  return (
    <>
      <div className="-mt-1 mb-5 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        {status === "DRAFT" && (
          <Button
            look="main"
            className="max-sm:col-span-2"
            onClick={() => navigate({ to: "/send/$id", params: { id }, search: { step: "documents" } })}
          >
            <PenLine aria-hidden="true" size={18} />
            {i18n._("Continue the draft")}
          </Button>
        )}
        {isOpen && request.signatures.some((each) => each.status_code === "OPEN") && <Remind id={id} />}
        {(isOpen || status === "DRAFT") && (
          <Button onClick={() => setSheet("edit")}>
            <Pencil aria-hidden="true" size={18} />
            {i18n._("Change")}
          </Button>
        )}
        {isOpen && (
          <Button onClick={() => setSheet("withdraw")}>
            <Undo2 aria-hidden="true" size={18} />
            {i18n._("Withdraw")}
          </Button>
        )}
        {status !== "DRAFT" && isUnsigned && <SaveAsTemplate request={request} />}
        <Button onClick={() => setSheet("delete")}>
          <Trash2 aria-hidden="true" size={18} />
          {i18n._("Delete")}
        </Button>
      </div>
      {sheet === "edit" && <EditSheet request={request} onClose={() => setSheet(null)} />}
      {sheet === "withdraw" && <WithdrawSheet request={request} onClose={() => setSheet(null)} />}
      {sheet === "delete" && <DeleteSheet request={request} onClose={() => setSheet(null)} />}
    </>
  )
}

const HOUR_MS = 3_600_000

/** One reminder per person and hour; when the next one is possible is said before it is tried. */
function Remind({ id }: { readonly id: string }) {
  const { i18n } = useLingui()
  const [nextAt, setNextAt] = useState<Date | null>(null)
  const remind = useAction(id, actions.remind)
  const press = () =>
    remind.mutate([id, null], {
      onSuccess: () => {
        setNextAt(new Date(Date.now() + HOUR_MS))
        announce(i18n._("A reminder is on its way."))
      },
      onError: (error) => {
        const seconds = error instanceof ProblemError ? error.retryAfterSeconds : null
        if (seconds !== null) setNextAt(new Date(Date.now() + 1000 * seconds))
      },
    })
  const isLocked = nextAt !== null && nextAt > new Date()
  return (
    <>
      {!isLocked && (
        <Button look="main" className="max-sm:col-span-2" busy={remind.isPending} onClick={press}>
          <Bell aria-hidden="true" size={18} />
          {i18n._("Remind")}
        </Button>
      )}
      {isLocked && (
        <p
          role="status"
          className="flex min-h-11 max-sm:col-span-2 items-center gap-2 pr-2 font-semibold text-(--muted)"
        >
          <Bell aria-hidden="true" size={18} />
          {i18n._("Next reminder possible at {time}", { time: sayClock(i18n, nextAt) })}
        </p>
      )}
      {!isLocked && remind.isError && (
        <div className="col-span-2">
          <Wrong error={remind.error} />
        </div>
      )}
    </>
  )
}
