import { useLingui } from "@lingui/react"
import { Link, useLocation } from "@tanstack/react-router"
import { Ellipsis } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { closeSheetAround, Sheet } from "../parts/sheet.tsx"
import { type Destination, type Destinations, useDestinations } from "./destinations.tsx"

const COLOURS =
  "rounded-lg font-semibold text-(--muted) hover:text-(--accent) data-[status=active]:bg-(--accent-soft) data-[status=active]:text-(--accent)"
const IN_BAR = "flex min-h-11 w-full flex-col items-center justify-center gap-0.5 px-1 py-1.5 text-xs"
const AT_SIDE = "lg:flex-row lg:justify-start lg:gap-3 lg:px-3 lg:text-base"

/** A bar at the bottom of a phone, with a sheet for the rest; all of it at the side where there is room. */
export function Navigation() {
  const { i18n } = useLingui()
  const { daily, others } = useDestinations()
  return (
    <nav
      aria-label={i18n._("Main")}
      className="bottom-nav lg:-m-1 lg:min-h-0 lg:grow lg:overflow-y-auto lg:p-1"
    >
      <ul className="flex lg:grid lg:gap-0.5">
        {daily.map((each) => (
          <li key={each.to} className="flex-1">
            <Way destination={each} className={`${IN_BAR} ${AT_SIDE}`} />
          </li>
        ))}
        {others.length > 0 && (
          <li className="flex-1 lg:hidden">
            <More others={others} />
          </li>
        )}
      </ul>
      {others.map(({ name, destinations }) => (
        <div key={name} className="hidden lg:block">
          <p aria-hidden="true" className="mt-4 mb-1 px-3 text-xs font-semibold text-(--muted)">
            {name}
          </p>
          <ul aria-label={name} className="grid gap-0.5">
            {destinations.map((each) => (
              <li key={each.to}>
                <Way destination={each} className={`${IN_BAR} ${AT_SIDE}`} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

type WayProps = { readonly destination: Destination; readonly className: string }

function Way({ destination: { to, Sign, name }, className }: WayProps) {
  return (
    <Link to={to} activeOptions={{ exact: to === "/" }} className={`${className} ${COLOURS}`}>
      <Sign aria-hidden="true" size={20} />
      {name}
    </Link>
  )
}

/** It closes by itself as soon as one is somewhere else. */
function More({ others }: Pick<Destinations, "others">) {
  const { i18n } = useLingui()
  const { pathname } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const within = useRef<HTMLDivElement>(null)
  const isHere = others.some(({ destinations }) => destinations.some(({ to }) => pathname.startsWith(to)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is what it is about
  useEffect(() => {
    if (within.current !== null) closeSheetAround(within.current)
  }, [pathname])
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        {...(isHere && { "data-status": "active" })}
        className={`${IN_BAR} ${COLOURS}`}
        onClick={() => setOpen(true)}
      >
        <Ellipsis aria-hidden="true" size={20} />
        {i18n._("More")}
      </button>
      {isOpen && (
        <Sheet heading={i18n._("More")} onClose={() => setOpen(false)}>
          <div ref={within} className="grid gap-5">
            {others.map(({ name, destinations }) => (
              <div key={name}>
                <h3 className="mb-2 text-sm font-semibold text-(--muted)">{name}</h3>
                <ul className="grid grid-cols-2 gap-2">
                  {destinations.map((each) => (
                    <li key={each.to}>
                      <Way
                        destination={each}
                        className="flex min-h-14 items-center gap-3 border border-(--line) px-3"
                      />
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </div>
        </Sheet>
      )}
    </>
  )
}
