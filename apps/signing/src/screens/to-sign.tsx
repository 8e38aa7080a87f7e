import { useEffect, useState } from "react"
import type { View } from "../api.ts"
import { Identify } from "./identify.tsx"
import { Read } from "./read.tsx"

type ToSignProps = {
  readonly view: View
  readonly signingFailed: boolean
  readonly onView: (view: View) => void
  readonly onNoSession: () => void
}

/** The document, and what stands between reading and signing it; the person may go to and fro. */
export function ToSign(props: ToSignProps) {
  const { screen } = props.view
  const [place, setPlace] = useState<"document" | "identify">(screen === "identify" ? "identify" : "document")
  // Whoever is identified while they wait is led on to the document.
  useEffect(() => setPlace(screen === "identify" ? "identify" : "document"), [screen])
  if (place === "document" || props.view.identification === null)
    return <Read {...props} onIdentify={() => setPlace("identify")} />
  return (
    <Identify
      view={props.view}
      identification={props.view.identification}
      onNoSession={props.onNoSession}
      onDocument={() => setPlace("document")}
    />
  )
}
