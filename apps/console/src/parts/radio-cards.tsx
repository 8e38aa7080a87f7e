import { useId } from "react"

type RadioCardsProps<T extends string> = {
  readonly label: string
  readonly value: T
  readonly choices: readonly (readonly [value: T, name: string, meaning: string])[]
  readonly onChoose: (value: T) => void
  readonly className?: string
}

/** A choice whose meaning is said beside it. */
export function RadioCards<T extends string>(props: RadioCardsProps<T>) {
  const { label, value, choices, onChoose, className = "" } = props
  const name = useId()
  return (
    <fieldset className={className}>
      <legend className="mb-1 text-sm font-semibold">{label}</legend>
      <div className="grid gap-2">
        {choices.map(([each, called, meaning]) => (
          <label
            key={each}
            className="flex min-h-11 items-start gap-3 rounded-xl border-2 border-(--line) px-4 py-2.5 has-checked:border-(--accent) has-checked:bg-(--accent-soft)"
          >
            <input
              type="radio"
              name={name}
              className="check mt-0.5"
              checked={each === value}
              onChange={() => onChoose(each)}
            />
            <span>
              <span className="block font-semibold">{called}</span>
              <span className="block text-sm text-(--muted)">{meaning}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
