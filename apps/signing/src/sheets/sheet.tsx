import { type ReactNode, useEffect, useId, useRef } from "react"
import { say } from "../words.ts"

type SheetProps = {
  readonly heading: string
  /** Changes when the sheet shows its next step: the heading then takes the focus again. */
  readonly step?: string
  readonly locked: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A native dialog: the browser keeps the focus inside, closes on Esc and gives the focus back where it was. */
export function Sheet({ heading, step = "", locked, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => {
    const opened = dialog.current
    if (opened?.open === false) opened.showModal()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new step is the reason to move the focus
  useEffect(() => {
    title.current?.focus()
  }, [step])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className="sheet"
      onCancel={(event) => locked && event.preventDefault()}
      onClose={onClose}
    >
      <div className="sheet-head">
        <h2 id={id} ref={title} tabIndex={-1} className="display grow text-xl outline-none sm:text-2xl">
          {heading}
        </h2>
        <button
          type="button"
          className="tool"
          aria-label={say("close")}
          aria-disabled={locked}
          onClick={() => !locked && dialog.current?.close()}
        >
          <svg viewBox="0 0 24 24" className="icon" aria-hidden="true">
            <path d="M6 6l12 12M18 6 6 18" />
          </svg>
        </button>
      </div>
      <div className="px-5 pb-5 sm:px-7 sm:pb-7">{children}</div>
    </dialog>
  )
}

/** Closes the dialog around the pressed button by the browser's own way, which returns the focus. */
export function closeSheetAround(element: HTMLElement): void {
  element.closest("dialog")?.close()
}
