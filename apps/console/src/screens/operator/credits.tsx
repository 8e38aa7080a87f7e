import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { type BusinessAnswer, operatorActs } from "../../api/operator.ts"
import { announce } from "../../parts/announce.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { Form } from "../settings/form.tsx"

/** What is agreed with a business on validations. */
export function Credits({ business }: { readonly business: BusinessAnswer }) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const { price: before, included: most } = business.credits
  const [price, setPrice] = useState(String(before))
  const [isLimited, setLimited] = useState(most !== null)
  const [included, setIncluded] = useState(String(most ?? FIRST_INCLUDED))
  const wanted = { price: amountOf(price), included: isLimited ? amountOf(included) : null }
  const isWrong = Number.isNaN(wanted.price) || Number.isNaN(wanted.included ?? 0)
  const save = useMutation({
    mutationFn: () => operatorActs.setCredits(business.id, wanted),
    onSuccess: async () => {
      announce(i18n._("Saved."))
      await client.invalidateQueries({ queryKey: ["operator"] })
    },
  })
  const errorOf = (value: number | null) =>
    Number.isNaN(value ?? 0) ? i18n._("A whole number, such as 100.") : null
  return (
    <Form
      title={i18n._("Credits")}
      about={i18n._("For validations with production keys. What you change counts from now on.")}
      isBusy={save.isPending}
      error={save.error}
      isChanged={wanted.price !== before || wanted.included !== most}
      onSave={() => !isWrong && save.mutate()}
    >
      <div className="grid gap-4">
        <Labelled className="max-w-48" label={i18n._("Credits per validation")} error={errorOf(wanted.price)}>
          {(described) => <Amount {...described} value={price} onType={setPrice} />}
        </Labelled>
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            className="check"
            checked={isLimited}
            onChange={({ target }) => setLimited(target.checked)}
          />
          {i18n._("At most so many credits a month")}
        </label>
        {isLimited && (
          <Labelled className="max-w-48" label={i18n._("Credits a month")} error={errorOf(wanted.included)}>
            {(described) => <Amount {...described} value={included} onType={setIncluded} />}
          </Labelled>
        )}
      </div>
    </Form>
  )
}

const FIRST_INCLUDED = 100

const amountOf = (typed: string): number => (/^\s*\d{1,9}\s*$/.test(typed) ? Number(typed) : Number.NaN)

type AmountProps = { readonly id: string; readonly value: string; readonly onType: (typed: string) => void }

const Amount = ({ value, onType, ...described }: AmountProps) => (
  <input
    {...described}
    className="field"
    inputMode="numeric"
    maxLength={9}
    value={value}
    onChange={({ target }) => onType(target.value)}
  />
)
