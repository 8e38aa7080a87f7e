import { type KeyboardEvent, useEffect, useRef, useState } from "react"
import { contentAddress, type SigningDocument } from "../api.ts"
import { words } from "../words.ts"

type MoreMenuProps = {
  readonly documents: readonly SigningDocument[]
  readonly onDecline: () => void
}

/** What is seldom wanted, and declining, which must not sit next to signing. */
export function MoreMenu({ documents, onDecline }: MoreMenuProps) {
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!open) return
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && box.current?.contains(event.target) === false) setOpen(false)
    }
    addEventListener("pointerdown", closeOutside)
    addEventListener("focusin", closeOutside)
    return () => {
      removeEventListener("pointerdown", closeOutside)
      removeEventListener("focusin", closeOutside)
    }
  }, [open])

  /** The dialog gives the focus back to whatever had it, and the menu is gone by then. */
  function close() {
    setOpen(false)
    toggle.current?.focus()
  }
  function closeOnEscape(event: KeyboardEvent) {
    if (event.key === "Escape" && open) close()
  }

  return (
    <div ref={box} className="relative">
      <button
        ref={toggle}
        type="button"
        className="button button-quiet w-14 px-0"
        aria-label={words.read.more}
        aria-expanded={open}
        aria-controls="more"
        onClick={() => setOpen(!open)}
        onKeyDown={closeOnEscape}
      >
        <svg viewBox="0 0 24 24" className="mx-auto size-6" fill="currentColor" aria-hidden="true">
          <circle cx="5" cy="12" r="2" />
          <circle cx="12" cy="12" r="2" />
          <circle cx="19" cy="12" r="2" />
        </svg>
      </button>
      <ul id="more" hidden={!open} className="menu">
        {documents.map(({ id, title }) => (
          <li key={id}>
            <a
              className="menu-item"
              href={contentAddress(id)}
              download
              onClick={close}
              onKeyDown={closeOnEscape}
            >
              <span className="line-clamp-2">
                {documents.length === 1 ? words.read.download : words.read.downloadOf(title)}
              </span>
            </a>
          </li>
        ))}
        <li className="border-t border-(--line)">
          <button
            type="button"
            className="menu-item text-(--danger)"
            onClick={() => {
              close()
              onDecline()
            }}
            onKeyDown={closeOnEscape}
          >
            {words.read.decline}
          </button>
        </li>
      </ul>
    </div>
  )
}
