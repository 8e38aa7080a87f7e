import { type ReactNode, useEffect, useRef } from "react"

type ScreenTitleProps = {
  readonly title: string
  readonly children?: ReactNode
  readonly className?: string
}

/** One per screen. It takes the focus when the screen appears, so that everybody hears where they are. */
export function ScreenTitle({ title, children, className = "" }: ScreenTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} – Paraph`
  }, [title])
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  return (
    <div className={`mb-5 flex flex-wrap items-center gap-x-4 gap-y-3 ${className}`}>
      <h1 ref={heading} tabIndex={-1} className="display mr-auto text-2xl outline-none sm:text-3xl">
        {title}
      </h1>
      {children}
    </div>
  )
}

/** Where the focus goes when what had it is no more, such as the line of something that was removed. */
export function focusTitle(): void {
  document.querySelector("h1")?.focus({ preventScroll: true })
}
