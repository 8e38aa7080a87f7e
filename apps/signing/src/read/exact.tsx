import { lazy, type PointerEvent, type ReactNode, Suspense } from "react"
import type { SigningDocument } from "../api.ts"

export type ExactPagesProps = {
  readonly document: SigningDocument
  readonly alone: boolean
  readonly zoom: number
  readonly over: (index: number) => ReactNode
  readonly onTap: (index: number) => ((event: PointerEvent<HTMLElement>) => void) | undefined
  readonly onFailed: () => void
}

/** Half a megabyte, and fetched only by those who ask for it. */
const Drawn = lazy(() =>
  import("../exact/exact-pages.tsx").then((module) => ({ default: module.DrawnPages })),
)

export function ExactPages(props: ExactPagesProps) {
  return (
    <Suspense fallback={<div className="page skeleton aspect-[1/1.414]" />}>
      <Drawn {...props} />
    </Suspense>
  )
}
