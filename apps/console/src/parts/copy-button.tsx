import { useLingui } from "@lingui/react"
import { Copy } from "lucide-react"
import { announce } from "./announce.tsx"
import { Button } from "./button.tsx"

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const { i18n } = useLingui()
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    announce(i18n._("Copied."))
  }
  return (
    <Button onClick={copy}>
      <Copy aria-hidden="true" size={18} />
      {label}
    </Button>
  )
}
