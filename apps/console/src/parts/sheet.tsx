import { type ReactNode, useEffect, useId, useRef } from "react"

type SheetProps = {
  readonly heading: string
  readonly onClose: () => void
  /** What it shows is shown once: Esc does not take it away, only a button does. */
  readonly isSticky?: boolean
  /** It shows a page, and needs the room. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

/**
 * A native dialog: the browser keeps the focus inside, closes on Esc and gives the focus back where it was. Radix's own
 * writes a style element into the page, which our content security policy refuses.
 */
export function Sheet({ heading, onClose, isSticky = false, isWide = false, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const opened = dialog.current
    if (opened?.open === false) opened.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={`sheet ${isWide ? "sheet-wide" : ""}`}
      onCancel={(event) => isSticky && event.preventDefault()}
      onClose={onClose}
    >
      <div className="p-5 sm:p-7">
        <h2 id={id} className="display mb-4 text-xl sm:text-2xl">
          {heading}
        </h2>
        {children}
      </div>
    </dialog>
  )
}

/** Closes the dialog around the pressed button by the browser's own way, which returns the focus. */
export function closeSheetAround(element: Element): void {
  element.closest("dialog")?.close()
}

/** What can be done at the end of a sheet; the first is the most likely, and stands where the thumb is. */
export function SheetActions({ children }: { readonly children: ReactNode }) {
  return <div className="mt-6 flex flex-col gap-3 sm:flex-row-reverse">{children}</div>
}
