import { useEffect, useState } from "react"
import type { View } from "../api.ts"
import { Header } from "../parts/header.tsx"
import { ScreenTitle } from "../parts/screen-title.tsx"
import { Flourish } from "../parts/wordmark.tsx"
import { words } from "../words.ts"

const PATIENCE_MS = 15_000

export function Working({ view }: { readonly view: View }) {
  const [long, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <Header request={view.request} narrow />
      <main className="mx-auto max-w-xl px-4 py-2">
        <div className="card text-center">
          <Flourish />
          <div className="mt-6">
            <ScreenTitle windowTitle={words.working.windowTitle}>{words.working.heading}</ScreenTitle>
          </div>
          <p role="status" className="mt-3">
            {long ? words.working.mayClose : words.working.wait}
          </p>
        </div>
      </main>
    </>
  )
}
