import { useLingui } from "@lingui/react"
import { Check, Copy } from "lucide-react"
import { useEffect, useState } from "react"
import { Button } from "./button.tsx"

const SAID_MS = 3_000

/** Says itself that it was done: in a sheet nothing outside of it is seen or heard. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const { i18n } = useLingui()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const later = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(later)
  }, [isCopied])
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  const Sign = isCopied ? Check : Copy
  return (
    <Button onClick={copy}>
      <Sign aria-hidden="true" size={18} />
      {label}
      <span role="status" className={isCopied ? "font-normal" : "sr-only"}>
        {isCopied && i18n._("Copied.")}
      </span>
    </Button>
  )
}
