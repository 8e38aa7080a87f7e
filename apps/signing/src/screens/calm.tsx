import type { View } from "../api.ts"
import { Header } from "../parts/header.tsx"
import { ScreenTitle } from "../parts/screen-title.tsx"

type CalmProps = {
  readonly heading: string
  readonly text: string
  readonly request?: View["request"]
  readonly retry?: string
  readonly onRetry?: () => void
}

/** A screen with one thing to say. */
export function Calm({ heading, text, request, retry, onRetry }: CalmProps) {
  return (
    <>
      <Header request={request} narrow />
      <main className="mx-auto max-w-xl px-4 py-2">
        <div className="card">
          <ScreenTitle windowTitle={heading}>{heading}</ScreenTitle>
          {request !== undefined && (
            <p className="mt-3 line-clamp-6 font-semibold" dir="auto">
              {request.title}
            </p>
          )}
          <p className="mt-3">{text}</p>
          {onRetry !== undefined && (
            <button type="button" className="button button-main mt-5" onClick={onRetry}>
              {retry}
            </button>
          )}
        </div>
      </main>
    </>
  )
}
