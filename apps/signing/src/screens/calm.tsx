import type { ReactNode } from "react"
import type { Exit, View } from "../api.ts"
import { OurFoot } from "../parts/branding.tsx"
import { ExitNotice } from "../parts/exit.tsx"
import { Header } from "../parts/header.tsx"
import { ScreenTitle } from "../parts/screen-title.tsx"

type CalmProps = {
  readonly heading: string
  readonly text: string
  readonly request?: View["request"]
  readonly exit?: Exit | null
  readonly children?: ReactNode
}

/** A screen with one thing to say. */
export function Calm({ heading, text, request, exit = null, children }: CalmProps) {
  return (
    <>
      <Header request={request} width="max-w-xl" />
      <main className="mx-auto max-w-xl px-4 py-2">
        <div className="card">
          <ScreenTitle windowTitle={heading}>{heading}</ScreenTitle>
          {request !== undefined && (
            <p className="mt-3 line-clamp-6 font-semibold" dir="auto">
              {request.title}
            </p>
          )}
          <p className="mt-3">{text}</p>
          {children !== undefined && <div className="mt-5">{children}</div>}
          {exit !== null && <ExitNotice exit={exit} />}
        </div>
      </main>
      <OurFoot />
    </>
  )
}
