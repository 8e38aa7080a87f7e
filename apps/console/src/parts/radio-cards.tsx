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
          <RadioCard
            key={each}
            group={name}
            name={called}
            meaning={meaning}
            isChosen={each === value}
            onChoose={() => onChoose(each)}
          />
        ))}
      </div>
    </fieldset>
  )
}

type RadioCardProps = {
  /** Those of one group shut each other out. */
  readonly group: string
  readonly name: string
  readonly meaning: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}

export function RadioCard({ group, name, meaning, isChosen, onChoose }: RadioCardProps) {
  return (
    <label className="flex min-h-11 items-start gap-3 rounded-xl border-2 border-(--line) px-4 py-2.5 has-checked:border-(--accent) has-checked:bg-(--accent-soft)">
      <input type="radio" name={group} className="check mt-0.5" checked={isChosen} onChange={onChoose} />
      <span>
        <span className="block font-semibold">{name}</span>
        <span className="block text-sm text-(--muted)">{meaning}</span>
      </span>
    </label>
  )
}
