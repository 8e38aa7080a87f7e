import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { api, must } from "../../api/client.ts"
import { Labelled } from "../../parts/labelled.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { Sheet } from "../../parts/sheet.tsx"
import { SubmitOrBack } from "../../parts/submit-or-back.tsx"
import { EVENT_TYPES, type EventType } from "./event-types.ts"
import { WebhookSecret } from "./secret-sheet.tsx"
import { webhookList } from "./webhook-list.ts"

/** One sheet from the address to the secret, so that the focus goes back to where it was opened. */
export function NewWebhookSheet({ onClose }: { readonly onClose: () => void }) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const [url, setUrl] = useState("")
  const [types, setTypes] = useState<readonly EventType[]>([])
  const create = useMutation({
    mutationFn: async () =>
      must(await api.POST("/webhooks", { body: { url, ...(types.length > 0 && { types: [...types] }) } })),
    onSuccess: () => client.invalidateQueries(webhookList),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!create.isPending) create.mutate()
  }
  const toggle = (type: EventType, is: boolean) =>
    setTypes((before) => (is ? [...before, type] : before.filter((each) => each !== type)))
  if (create.data !== undefined)
    return (
      <Sheet heading={i18n._("The secret of your webhook")} isSticky onClose={onClose}>
        <WebhookSecret webhook={create.data} />
      </Sheet>
    )
  return (
    <Sheet heading={i18n._("Add a webhook")} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Wrong error={create.error} />
        <Labelled label={i18n._("Address")} hint={i18n._("It begins with https://")}>
          {(described) => (
            <input
              {...described}
              type="url"
              inputMode="url"
              className="field"
              placeholder="https://app.example.org/paraph"
              value={url}
              onChange={({ target }) => setUrl(target.value)}
            />
          )}
        </Labelled>
        <fieldset className="mt-4">
          <legend className="mb-1 text-sm font-semibold">
            {i18n._("Events (none chosen: all of them)")}
          </legend>
          <div className="grid max-h-64 overflow-y-auto rounded-xl border border-(--line) px-3 sm:grid-cols-2">
            {EVENT_TYPES.map((type) => (
              <label key={type} className="flex min-h-11 items-center gap-3 font-mono text-xs">
                <input
                  type="checkbox"
                  className="check"
                  checked={types.includes(type)}
                  onChange={({ target }) => toggle(type, target.checked)}
                />
                {type}
              </label>
            ))}
          </div>
        </fieldset>
        <SubmitOrBack busy={create.isPending}>{i18n._("Create")}</SubmitOrBack>
      </form>
    </Sheet>
  )
}
