import { useLingui } from "@lingui/react"
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { ArrowLeft, RotateCw } from "lucide-react"
import { deliveryList, replayDelivery, type WebhookDelivery } from "../../api/webhook-deliveries.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Attempts, DeliveryBadge } from "../../parts/delivery-state.tsx"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { Older } from "../../parts/older.tsx"
import { sayAgo, sayTime } from "../../parts/said.ts"
import { webhookList } from "./webhook-list.ts"

const route = getRouteApi("/developers/webhooks/$id")
const LOOKS_AGAIN_MS = 5_000

/** What one webhook was told, what came back, and once more on demand. */
export function WebhookDeliveries() {
  const { i18n } = useLingui()
  const { id } = route.useParams()
  const client = useQueryClient()
  const webhooks = useQuery(webhookList)
  const options = deliveryList(id)
  const list = useInfiniteQuery({ ...options, refetchInterval: LOOKS_AGAIN_MS })
  const replay = useMutation({
    mutationFn: (deliveryId: string) => replayDelivery(id, deliveryId),
    onSuccess: () => {
      announce(i18n._("It is being sent again."))
      return client.invalidateQueries({ queryKey: options.queryKey })
    },
  })
  return (
    <>
      <Link to="/developers/webhooks" className="button button-bare -mt-2 mb-2 -ml-3">
        <ArrowLeft aria-hidden="true" size={18} />
        {i18n._("All webhooks")}
      </Link>
      <h2 className="display text-xl">{i18n._("Deliveries")}</h2>
      <p className="mb-4 font-mono text-sm text-(--muted)">
        {webhooks.data?.find((each) => each.id === id)?.url ?? "…"}
      </p>
      <Wrong error={list.error ?? replay.error} />
      {list.isPending && <Loading />}
      {list.data?.length === 0 && (
        <Nothing title={i18n._("Nothing was delivered yet")}>
          {i18n._(
            "As soon as something happens to your requests, the calls to this address are listed here.",
          )}
        </Nothing>
      )}
      {list.data !== undefined && list.data.length > 0 && (
        <ul className="card divide-y divide-(--line)">
          {list.data.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} onReplay={() => replay.mutate(delivery.id)} />
          ))}
        </ul>
      )}
      <Older list={list} />
    </>
  )
}

type DeliveryProps = { readonly delivery: WebhookDelivery; readonly onReplay: () => void }

function Delivery({ delivery, onReplay }: DeliveryProps) {
  const { i18n } = useLingui()
  const { type, state, attempts, messages, next_attempt_at: next, created_at: at } = delivery
  const last = messages.at(-1)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 px-4 py-3 sm:px-5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <DeliveryBadge state={state} />
          <span className="font-mono text-sm font-semibold">{type}</span>
        </p>
        <p className="mt-1 text-sm text-(--muted)">
          <time dateTime={at}>{sayTime(i18n, at)}</time>
          {state === "OPEN" && next !== undefined && (
            <> · {i18n._("Next attempt {when}", { when: sayAgo(i18n, next) })}</>
          )}
        </p>
        {state !== "COMPLETED" && last !== undefined && (
          <p className="mt-1 text-sm font-semibold text-(--danger)">{last}</p>
        )}
      </div>
      <Button
        look="icon"
        aria-label={i18n._("Send {type} of {time} again", { type, time: sayTime(i18n, at) })}
        title={i18n._("Send again")}
        onClick={onReplay}
      >
        <RotateCw aria-hidden="true" size={18} />
      </Button>
      <Attempts attempts={attempts} messages={messages} />
    </li>
  )
}
