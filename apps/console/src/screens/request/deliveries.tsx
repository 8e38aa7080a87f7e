import { useLingui } from "@lingui/react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { RotateCw } from "lucide-react"
import { api, must } from "../../api/client.ts"
import type { Callback, SignatureRequest } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Attempts, DeliveryBadge } from "../../parts/delivery-state.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { sayTime } from "../../parts/said.ts"
import { Section } from "../../parts/section.tsx"

type DeliveriesProps = { readonly request: SignatureRequest; readonly mayChange: boolean }

/** The callbacks of this request: what was called, what came back, and once more on demand. */
export function Deliveries({ request, mayChange }: DeliveriesProps) {
  const { i18n } = useLingui()
  const { id } = request
  const client = useQueryClient()
  const queryKey = ["request", id, "callbacks"]
  const hasCallbacks =
    request.callback_success_url !== null ||
    request.callback_update_url !== null ||
    request.callback_error_url !== null
  const list = useQuery({
    queryKey,
    enabled: hasCallbacks,
    queryFn: async () =>
      must(await api.GET("/signature-requests/{id}/callbacks", { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.some((each) => each.state === "OPEN") ? 3_000 : false),
  })
  const replay = useMutation({
    mutationFn: async (callback_id: string) =>
      must(
        await api.POST("/signature-requests/{id}/callbacks/{callback_id}/replay", {
          params: { path: { id, callback_id } },
        }),
      ),
    onSuccess: () => {
      announce(i18n._("It is being sent again."))
      return client.invalidateQueries({ queryKey })
    },
  })
  if (!hasCallbacks) return null
  return (
    <Section title={i18n._("Callbacks")}>
      <Wrong error={list.error ?? replay.error} />
      {list.data?.length === 0 && <p className="text-(--muted)">{i18n._("Nothing has been called yet.")}</p>}
      <ul className="divide-y divide-(--line)">
        {list.data?.map((callback) => (
          <Delivery
            key={callback.id}
            callback={callback}
            {...(mayChange && { onReplay: () => replay.mutate(callback.id) })}
          />
        ))}
      </ul>
    </Section>
  )
}

type DeliveryProps = { readonly callback: Callback; readonly onReplay?: () => void }

function Delivery({ callback, onReplay }: DeliveryProps) {
  const { i18n } = useLingui()
  const { state, type, url, attempts, messages, updated_at: at } = callback
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <DeliveryBadge state={state} />
        <span className="text-sm font-semibold">{type}</span>
        <time dateTime={at} className="text-sm text-(--muted)">
          {sayTime(i18n, at)}
        </time>
      </div>
      {onReplay && (
        <Button onClick={onReplay} className="row-span-2">
          <RotateCw aria-hidden="true" size={18} />
          {i18n._("Call again")}
        </Button>
      )}
      <code className="text-xs text-(--muted)">{url}</code>
      <Attempts attempts={attempts} messages={messages} />
    </li>
  )
}
