import { useLingui } from "@lingui/react"
import { type FormEvent, type ReactNode, useId } from "react"
import { Button } from "../../parts/button.tsx"
import { Wrong } from "../../parts/notice.tsx"

type FormProps = {
  readonly title: string
  readonly about?: string
  readonly isBusy: boolean
  readonly error: unknown
  /** Null for whoever may only look. */
  readonly onSave: (() => void) | null
  readonly isChanged: boolean
  readonly more?: ReactNode
  readonly children: ReactNode
}

/** One thing that can be set, and the button that sets it. It is asked for only when something was changed. */
export function Form({ title, about, isBusy, error, onSave, isChanged, more, children }: FormProps) {
  const { i18n } = useLingui()
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy && isChanged) onSave?.()
  }
  return (
    <form aria-labelledby={id} className="card p-5 sm:p-6" onSubmit={submit} noValidate>
      <h2 id={id} className="display mb-1 text-lg">
        {title}
      </h2>
      {about && <p className="mb-4 max-w-2xl text-(--muted)">{about}</p>}
      <Wrong error={error} />
      <fieldset disabled={onSave === null} className="min-w-0">
        <legend className="sr-only">{title}</legend>
        {children}
      </fieldset>
      {onSave !== null && (
        <div className="mt-5 flex flex-wrap items-center gap-3 border-t border-(--line) pt-4">
          <Button
            type="submit"
            look={isChanged ? "main" : "quiet"}
            busy={isBusy}
            {...(!isChanged && { "aria-disabled": true, className: "!cursor-default" })}
          >
            {i18n._("Save")}
          </Button>
          {isChanged && (
            <p className="text-sm text-(--muted)" role="status">
              {i18n._("Not saved yet")}
            </p>
          )}
          {more && <div className="ml-auto">{more}</div>}
        </div>
      )}
    </form>
  )
}
