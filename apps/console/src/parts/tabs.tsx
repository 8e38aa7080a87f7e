import { Link, useLocation } from "@tanstack/react-router"
import { useEffect, useRef } from "react"

type TabsProps = {
  readonly label: string
  readonly tabs: readonly (readonly [to: string, name: string])[]
}

/** The rooms of one destination. Each has an address of its own, so these are links. */
export function Tabs({ label, tabs }: TabsProps) {
  const bar = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On a phone there is no room for all of them: the one that is open is among those that are seen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is what it is about
  useEffect(() => {
    const open = bar.current?.querySelector<HTMLElement>("[aria-current=page]")
    if (bar.current && open)
      bar.current.scrollLeft = open.offsetLeft - (bar.current.clientWidth - open.offsetWidth) / 2
  }, [pathname])
  return (
    <nav
      ref={bar}
      aria-label={label}
      className="relative -mx-4 mb-5 overflow-x-auto border-b border-(--line) px-4 sm:mx-0 sm:px-0"
    >
      <ul className="flex gap-6">
        {tabs.map(([to, name]) => (
          <li key={to}>
            <Link
              to={to}
              className="flex min-h-11 items-center border-b-3 border-transparent px-1 font-semibold whitespace-nowrap text-(--muted) hover:text-(--accent) data-[status=active]:border-(--accent) data-[status=active]:text-(--accent)"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
