import { CircleHelp, CircleX, FileQuestionMark, type LucideIcon, ShieldCheck } from "lucide-react"
import type { Indication } from "../../api/validation.ts"

export type Look = {
  readonly Sign: LucideIcon
  readonly badge: "good" | "warn" | "bad"
  /** Of the sign and the edge; the word says it, the colour helps. */
  readonly ink: string
  readonly ground: string
  readonly edge: string
}

/** Signs of different shape, so that nobody needs to tell green from red. */
export const LOOKS: Readonly<Record<Indication, Look>> = {
  "TOTAL-PASSED": {
    Sign: ShieldCheck,
    badge: "good",
    ink: "text-(--good)",
    ground: "bg-(--good-soft)",
    edge: "border-(--good)",
  },
  INDETERMINATE: {
    Sign: CircleHelp,
    badge: "warn",
    ink: "text-(--warn)",
    ground: "bg-(--warn-soft)",
    edge: "border-(--warn)",
  },
  "TOTAL-FAILED": {
    Sign: CircleX,
    badge: "bad",
    ink: "text-(--danger)",
    ground: "bg-(--danger-soft)",
    edge: "border-(--danger)",
  },
}

export const UNSIGNED: Look = {
  Sign: FileQuestionMark,
  badge: "warn",
  ink: "text-(--muted)",
  ground: "bg-(--quiet-soft)",
  edge: "border-(--edge)",
}
