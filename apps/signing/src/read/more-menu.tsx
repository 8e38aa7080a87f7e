import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react"
import { say } from "../words.ts"

export type MenuEntry =
  | { readonly label: string; readonly onChoose: () => void; readonly grave?: boolean }
  | { readonly label: string; readonly href: string }

/** What is seldom wanted, and declining, which must not sit next to signing. */
export function MoreMenu({ entries }: { readonly entries: readonly MenuEntry[] }) {
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
        aria-label={say("read.more")}
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
        {entries.map((entry) => (
          <li key={entry.label} className="menu-row">
            <Entry entry={entry} close={close} onKeyDown={closeOnEscape} />
          </li>
        ))}
      </ul>
    </div>
  )
}

type EntryProps = {
  readonly entry: MenuEntry
  readonly close: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

function Entry({ entry, close, onKeyDown }: EntryProps): ReactNode {
  if ("href" in entry)
    return (
      <a className="menu-item" href={entry.href} download onClick={close} onKeyDown={onKeyDown}>
        {entry.label}
      </a>
    )
  function choose() {
    close()
    if (!("href" in entry)) entry.onChoose()
  }
  return (
    <button
      type="button"
      className={`menu-item ${entry.grave === true ? "text-(--danger)" : ""}`}
      onClick={choose}
      onKeyDown={onKeyDown}
    >
      {entry.label}
    </button>
  )
}
