import { useLingui } from "@lingui/react"
import { useState } from "react"
import { actions, useAction } from "../../api/requests.ts"
import type { SignatureRequest } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { closeSheetAround, Sheet, SheetActions } from "../../parts/sheet.tsx"

type WithdrawSheetProps = { readonly request: SignatureRequest; readonly onClose: () => void }

const MAX_CHARACTERS = 2048

export function WithdrawSheet({ request, onClose }: WithdrawSheetProps) {
  const { i18n } = useLingui()
  const [message, setMessage] = useState("")
  const withdraw = useAction(request.id, actions.withdraw)
  return (
    <Sheet heading={i18n._("Withdraw this request?")} onClose={onClose}>
      <p className="mb-4">{i18n._("Nobody can sign it any more. Everyone who was asked gets an e-mail.")}</p>
      <Wrong error={withdraw.error} />
      <Labelled label={i18n._("Message to the signers (optional)")}>
        {(described) => (
          <textarea
            {...described}
            className="field"
            rows={3}
            maxLength={MAX_CHARACTERS}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
        )}
      </Labelled>
      <SheetActions>
        <Button
          look="danger"
          busy={withdraw.isPending}
          onClick={({ currentTarget }) =>
            withdraw.mutate([request.id, message.trim()], {
              onSuccess: () => {
                announce(i18n._("The request was withdrawn."))
                closeSheetAround(currentTarget)
              },
            })
          }
        >
          {i18n._("Withdraw for everyone")}
        </Button>
        <Button onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>{i18n._("Go back")}</Button>
      </SheetActions>
    </Sheet>
  )
}
