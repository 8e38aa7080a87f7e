import { useLingui } from "@lingui/react"
import type { ReactNode } from "react"
import { Button } from "./button.tsx"
import { closeSheetAround, SheetActions } from "./sheet.tsx"

type SubmitOrBackProps = { readonly busy: boolean; readonly children: ReactNode }

/** The end of a form in a sheet: what it does, and the way out. */
export function SubmitOrBack({ busy, children }: SubmitOrBackProps) {
  const { i18n } = useLingui()
  return (
    <SheetActions>
      <Button type="submit" look="main" busy={busy}>
        {children}
      </Button>
      <Button onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>{i18n._("Go back")}</Button>
    </SheetActions>
  )
}
