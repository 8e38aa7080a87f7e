import { Link } from "@tanstack/react-router"

type TabsProps = {
  readonly label: string
  readonly tabs: readonly (readonly [to: string, name: string])[]
}

/** The rooms of one destination. Each has an address of its own, so these are links. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav
      aria-label={label}
      className="-mx-4 mb-5 overflow-x-auto border-b border-(--line) px-4 sm:mx-0 sm:px-0"
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
