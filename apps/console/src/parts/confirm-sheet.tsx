import { useLingui } from "@lingui/react"
import { useMutation } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Button } from "./button.tsx"
import { Wrong } from "./notice.tsx"
import { closeSheetAround, Sheet, SheetActions } from "./sheet.tsx"

type ConfirmSheetProps = {
  readonly heading: string
  /** What is pressed, in the words of what it does. */
  readonly act: string
  readonly onConfirm: () => Promise<unknown>
  readonly onDone?: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Before something that cannot be taken back: what will happen, and a way out. */
export function ConfirmSheet({ heading, act, onConfirm, onDone, onClose, children }: ConfirmSheetProps) {
  const { i18n } = useLingui()
  const confirm = useMutation({ mutationFn: onConfirm })
  return (
    <Sheet heading={heading} onClose={onClose}>
      {children}
      <div className="mt-4">
        <Wrong error={confirm.error} />
      </div>
      <SheetActions>
        <Button
          look="danger"
          busy={confirm.isPending}
          onClick={({ currentTarget }) =>
            confirm.mutate(undefined, {
              onSuccess: () => {
                closeSheetAround(currentTarget)
                onDone?.()
              },
            })
          }
        >
          {act}
        </Button>
        <Button onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>{i18n._("Go back")}</Button>
      </SheetActions>
    </Sheet>
  )
}
