import { useLingui } from "@lingui/react"
import { TriangleAlert } from "lucide-react"
import type { ReactNode } from "react"
import { explain, isTooLongAgo } from "../api/problem.ts"
import { signInAgain } from "../session/account.ts"
import { Button } from "./button.tsx"

/** What went wrong, in a sentence, where it went wrong; read out at once. */
export function Wrong({ error, children }: { readonly error: unknown; readonly children?: ReactNode }) {
  const { i18n } = useLingui()
  return (
    <div role="alert" className="empty:hidden">
      {error != null && (
        <div className="mb-4 flex items-start gap-3 rounded-xl border-2 border-(--danger) bg-(--sheet) px-4 py-3">
          <TriangleAlert aria-hidden="true" size={20} className="mt-0.5 shrink-0 text-(--danger)" />
          <div className="font-semibold">
            {typeof error === "string" ? error : explain(i18n, error)}
            {isTooLongAgo(error) && (
              <Button className="mt-3 flex" onClick={signInAgain}>
                {i18n._("Sign in again")}
              </Button>
            )}
            {children}
          </div>
        </div>
      )}
    </div>
  )
}

/** Nothing there yet: what this place is for, and what to do first. */
export function Nothing({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="card px-6 py-12 text-center">
      <p className="display mb-2 text-xl">{title}</p>
      <div className="mx-auto max-w-md text-(--muted)">{children}</div>
    </div>
  )
}

export function Loading() {
  const { i18n } = useLingui()
  return (
    <div role="status">
      <span className="sr-only">{i18n._("Loading …")}</span>
      <div aria-hidden="true" className="grid gap-3">
        <div className="skeleton h-16" />
        <div className="skeleton h-16" />
        <div className="skeleton h-16" />
      </div>
    </div>
  )
}
