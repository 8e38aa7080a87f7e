import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { Link } from "@tanstack/react-router"
import { Check, CloudOff, LoaderCircle } from "lucide-react"
import { STEPS, type Step } from "./steps.ts"
import type { Keeping } from "./use-draft.ts"

type StepperProps = { readonly id: string; readonly step: Step }

export function Stepper({ id, step }: StepperProps) {
  const { i18n } = useLingui()
  const at = STEPS.indexOf(step)
  return (
    <nav aria-label={i18n._("Steps")} className="mb-1 sm:mb-5">
      <ol className="flex gap-1.5">
        {STEPS.map((each, index) => (
          <li key={each} className="flex-1">
            <Link
              to="/send/$id"
              params={{ id }}
              search={{ step: each }}
              {...(each === step && { "aria-current": "step" as const })}
              className="group block min-h-11 rounded-md pt-4 sm:pt-2"
            >
              <span
                className={`block h-1.5 rounded-full ${index <= at ? "bg-(--accent)" : "bg-(--line) group-hover:bg-(--edge)"}`}
              />
              <span
                className={`sr-only text-sm sm:not-sr-only sm:mt-1 sm:block ${each === step ? "font-semibold" : "text-(--muted)"}`}
              >
                {sayShort(i18n, each)}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

export function SavedNote({ state }: { readonly state: Keeping["state"] }) {
  const { i18n } = useLingui()
  const Sign = state === "saved" ? Check : state === "saving" ? LoaderCircle : CloudOff
  const words =
    state === "saved"
      ? i18n._("Draft saved")
      : state === "saving"
        ? i18n._("Saving …")
        : i18n._("Not saved yet")
  return (
    <p role="status" className="flex items-center gap-1.5 text-sm text-(--muted)">
      <Sign aria-hidden="true" size={16} />
      {words}
    </p>
  )
}

export function sayStep(i18n: I18n, step: Step): string {
  switch (step) {
    case "documents":
      return i18n._("Which documents?")
    case "people":
      return i18n._("Who signs?")
    case "fields":
      return i18n._("Where do they sign?")
    case "message":
      return i18n._("How do they sign?")
    case "review":
      return i18n._("Ready to send?")
  }
}

function sayShort(i18n: I18n, step: Step): string {
  switch (step) {
    case "documents":
      return i18n._("Documents")
    case "people":
      return i18n._("People")
    case "fields":
      return i18n._("Fields")
    case "message":
      return i18n._("Message and terms")
    case "review":
      return i18n._("Review")
  }
}
