import { type ReactNode, useId } from "react"

type SectionProps = {
  readonly title: string
  /** What can be done with the whole of it. */
  readonly action?: ReactNode
  readonly children: ReactNode
}

export function Section({ title, action, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="card p-5">
      <div className="mb-3 flex min-h-11 flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="display text-lg">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}
