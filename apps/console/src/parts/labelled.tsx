import { type ReactNode, useId } from "react"

type Described = { readonly id: string; readonly "aria-describedby"?: string; readonly "aria-invalid"?: true }

type LabelledProps = {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | null | undefined
  readonly className?: string
  readonly children: (described: Described) => ReactNode
}

/** A field with its name, what helps to fill it in, and what is wrong with it. */
export function Labelled({ label, hint, error, className = "", children }: LabelledProps) {
  const id = useId()
  const about = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ")
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-semibold">
        {label}
      </label>
      {children({
        id,
        ...(about !== "" && { "aria-describedby": about }),
        ...(error && { "aria-invalid": true as const }),
      })}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-(--muted)">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1 text-sm font-semibold text-(--danger)">
          {error}
        </p>
      )}
    </div>
  )
}
