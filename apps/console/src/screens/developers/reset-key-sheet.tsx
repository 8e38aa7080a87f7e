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
                "{count, plural, one {# webhook stands still until it has a new secret.} other {# webhooks stand still until they have new secrets.}}",
                { count: reset.data.stopped_webhooks.length },
              )}
            </p>
          )}
        </KeyOnce>
      </Sheet>
    )
  return (
    <Sheet heading={i18n._("Reset “{name}”?", { name: key.name })} onClose={onClose}>
      <p className="mb-4">
        {i18n._(
          "You get a new secret. The one that your programs use now is dead within seconds, and they are locked out until they have the new one.",
        )}
      </p>
      <Wrong error={reset.error} />
      <SheetActions>
        <Button look="danger" busy={reset.isPending} onClick={() => reset.mutate()}>
          {i18n._("Reset the key")}
        </Button>
        <Button onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>{i18n._("Go back")}</Button>
      </SheetActions>
    </Sheet>
  )
}
