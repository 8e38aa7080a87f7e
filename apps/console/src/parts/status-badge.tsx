import { useLingui } from "@lingui/react"
import { Ban, Check, Clock, PenLine, TriangleAlert, Undo2 } from "lucide-react"
import type { Status } from "../api/types.ts"
import { sayStatus } from "./said.ts"

/** Never by colour alone: a sign and a word as well. */
export function StatusBadge({ status }: { readonly status: Status }) {
  const { i18n } = useLingui()
  const { colours, Sign } = LOOKS[status]
  return (
    <span className={`badge ${colours}`}>
      <Sign aria-hidden="true" size={14} strokeWidth={2.5} />
      {sayStatus(i18n, status)}
    </span>
  )
}

const QUIET = "bg-(--quiet-soft) text-(--muted)"
const BAD = "bg-(--danger-soft) text-(--danger)"

const LOOKS = {
  DRAFT: { colours: QUIET, Sign: PenLine },
  OPEN: { colours: "bg-(--accent-soft) text-(--accent)", Sign: Clock },
  SIGNED: { colours: "bg-(--good-soft) text-(--good)", Sign: Check },
  DECLINED: { colours: BAD, Sign: Ban },
  ERROR: { colours: BAD, Sign: TriangleAlert },
  EXPIRED: { colours: "bg-(--warn-soft) text-(--warn)", Sign: Clock },
  WITHDRAWN: { colours: QUIET, Sign: Undo2 },
} as const satisfies Record<Status, unknown>
