import { type ReactNode, useEffect, useRef } from "react"

type ScreenTitleProps = {
  readonly windowTitle: string
  readonly long?: boolean
  readonly children: ReactNode
}

/** A title may have 1024 characters; beyond this many it is set smaller, and never cut. */
export const isLong = (title: string) => title.length > 120

/** The one h1 of a screen. It takes the focus when the screen appears, so that a screen reader starts there. */
export function ScreenTitle({ windowTitle, long = false, children }: ScreenTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  return (
    <>
      <title>{`${windowTitle} – Paraph`}</title>
      <h1
        ref={heading}
        tabIndex={-1}
        className={`display outline-none ${long ? "text-lg" : "text-2xl sm:text-3xl"}`}
      >
        {children}
      </h1>
    </>
  )
}
