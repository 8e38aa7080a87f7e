import { createContext, type ReactNode, useContext, useEffect } from "react"
import type { Branding } from "../api.ts"
import { Wordmark } from "./wordmark.tsx"

const NONE: Branding = { style: null, logo: null }
const BrandingContext = createContext<Branding>(NONE)

export const useBranding = (): Branding => useContext(BrandingContext)

type BrandedProps = { readonly branding: Branding | undefined; readonly children: ReactNode }

/** In the colour of the business, which is a style sheet of our own: the policy of the page allows no other. */
export function Branded({ branding = NONE, children }: BrandedProps) {
  const { style } = branding
  useEffect(() => {
    if (style === null) return
    const link = document.createElement("link")
    link.rel = "stylesheet"
    link.href = style
    document.head.append(link)
    return () => link.remove()
  }, [style])
  return <BrandingContext value={branding}>{children}</BrandingContext>
}

/** At the end of every screen whose head has somebody else's logo. */
export function OurFoot() {
  if (useBranding().logo === null) return null
  return (
    <footer className="flex justify-center px-4 py-6">
      <Wordmark small />
    </footer>
  )
}
