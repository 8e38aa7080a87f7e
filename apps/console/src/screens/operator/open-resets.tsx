import { useLingui } from "@lingui/react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type FactorReset, factorResets, operatorActs } from "../../api/operator.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Wrong } from "../../parts/notice.tsx"

/** What other operators have asked for. The one who asked can take it back, and not confirm it. */
export function OpenResets() {
  const found = useQuery(factorResets)
  if (!found.data || found.data.resets.length === 0) return null
  return (
    <ul className="mb-4 grid gap-3">
      {found.data.resets.map((reset) => (
        <OpenReset key={reset.email} reset={reset} />
      ))}
    </ul>
  )
}

function OpenReset({ reset: { email, reason, asked_by, until, own } }: { readonly reset: FactorReset }) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const judge = useMutation({
    mutationFn: (verdict: "confirm" | "refuse") => operatorActs.judgeReset(email, verdict),
    onSuccess: (_, verdict) => {
      void client.invalidateQueries({ queryKey: factorResets.queryKey })
      announce(
        verdict === "confirm" ? i18n._("Done. The person has been written to.") : i18n._("Taken back."),
      )
    },
  })
  return (
    <li className="rounded-lg border border-(--line) p-3 text-sm">
      <p className="font-medium">{email}</p>
      <p className="text-(--muted)">
        {i18n._("{operator} asks to take the second factor away, until {time}: {reason}", {
          operator: asked_by,
          time: i18n.date(new Date(until), { dateStyle: "medium", timeStyle: "short" }),
          reason,
        })}
      </p>
      {judge.error && <Wrong error={judge.error} />}
      <div className="mt-2 flex flex-wrap gap-2">
        {!own && (
          <Button look="main" onClick={() => judge.mutate("confirm")}>
            {i18n._("Confirm")}
          </Button>
        )}
        <Button onClick={() => judge.mutate("refuse")}>{i18n._("Do not take it away")}</Button>
      </div>
    </li>
  )
}
