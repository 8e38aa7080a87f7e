import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { actions } from "../../api/requests.ts"
import type { SignatureRequest, Status } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { closeSheetAround, Sheet, SheetActions } from "../../parts/sheet.tsx"

type DeleteSheetProps = { readonly request: SignatureRequest; readonly onClose: () => void }

export function DeleteSheet({ request, onClose }: DeleteSheetProps) {
  const { i18n } = useLingui()
  const navigate = useNavigate()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => actions.remove(request.id),
    onSuccess: async () => {
      announce(i18n._("The request was deleted."))
      await navigate({ to: "/requests" })
      client.removeQueries({ queryKey: ["request", request.id] })
      await client.invalidateQueries({ queryKey: ["requests"] })
    },
  })
  return (
    <Sheet heading={i18n._("Delete this request?")} onClose={onClose}>
      <p className="mb-4">{consequence(i18n, request.status_overall)}</p>
      <Wrong error={remove.error} />
      <SheetActions>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {i18n._("Delete for good")}
        </Button>
        <Button onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>{i18n._("Go back")}</Button>
      </SheetActions>
    </Sheet>
  )
}

function consequence(i18n: I18n, status: Status): string {
  switch (status) {
    case "DRAFT":
      return i18n._("The draft and its documents are deleted. Nobody was written to.")
    case "OPEN":
      return i18n._("It is still open: nobody can sign it any more, and its documents are deleted too.")
    default:
      return i18n._("Its documents are deleted too, signed ones included. This cannot be undone.")
  }
}
