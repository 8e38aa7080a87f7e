import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type ApiKey, keyActs, keyList } from "../../api/keys.ts"
import { Button } from "../../parts/button.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { focusTitle } from "../../parts/screen-title.tsx"
import { closeSheetAround, Sheet, SheetActions } from "../../parts/sheet.tsx"
import { KeyOnce } from "./key-once.tsx"

type ResetKeySheetProps = { readonly of: ApiKey; readonly onClose: () => void }

/** AUTH-14: a new secret under the same name; the old one is dead from then on. */
export function ResetKeySheet({ of: key, onClose }: ResetKeySheetProps) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const isEnded = key.reset_by_operator_at !== undefined
  const reset = useMutation({
    mutationFn: () => keyActs.reset(key.id),
    onSuccess: () => client.invalidateQueries(keyList),
  })
  if (reset.data !== undefined)
    return (
      <Sheet
        heading={i18n._("Your new API key")}
        isSticky
        onClose={() => {
          onClose()
          // The line of the key that is dead now, where this was opened, stands elsewhere.
          focusTitle()
        }}
      >
        <KeyOnce of={reset.data}>
          {reset.data.stopped_webhooks.length > 0 && (
            <p className="mt-4">
              {i18n._(
                "{count, plural, one {# webhook is paused until it gets a new secret.} other {# webhooks are paused until they get new secrets.}}",
                { count: reset.data.stopped_webhooks.length },
              )}
            </p>
          )}
        </KeyOnce>
      </Sheet>
    )
  return (
    <Sheet
      heading={
        isEnded
          ? i18n._("Get the new key for “{name}”?", { name: key.name })
          : i18n._("Reset “{name}”?", { name: key.name })
      }
      onClose={onClose}
    >
      <p className="mb-4">
        {isEnded
          ? i18n._("The old one no longer works. The new one is shown once, to you.")
          : i18n._(
              "You get a new secret. The old one stops working within seconds, and your programs are locked out until they have the new one.",
            )}
      </p>
      <Wrong error={reset.error} />
      <SheetActions>
        <Button look={isEnded ? "main" : "danger"} busy={reset.isPending} onClick={() => reset.mutate()}>
          {isEnded ? i18n._("Show the new key") : i18n._("Reset the key")}
        </Button>
        <Button onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>{i18n._("Go back")}</Button>
      </SheetActions>
    </Sheet>
  )
}
