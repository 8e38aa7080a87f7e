import type { LucideIcon } from "lucide-react"
import type { ReactNode } from "react"

type BadgeProps = {
  readonly look: keyof typeof LOOKS
  readonly Sign?: LucideIcon
  readonly children: ReactNode
}

/** One word about how something is; the word says it, the colour helps. */
export function Badge({ look, Sign, children }: BadgeProps) {
  return (
    <span className={`badge ${LOOKS[look]}`}>
      {Sign && <Sign aria-hidden="true" size={14} strokeWidth={2.5} />}
      {children}
    </span>
  )
}

const LOOKS = {
  quiet: "bg-(--quiet-soft) text-(--muted)",
  accent: "bg-(--accent-soft) text-(--accent)",
  good: "bg-(--good-soft) text-(--good)",
  warn: "bg-(--warn-soft) text-(--warn)",
  bad: "bg-(--danger-soft) text-(--danger)",
  test: "bg-(--test) text-(--on-test)",
} as const
