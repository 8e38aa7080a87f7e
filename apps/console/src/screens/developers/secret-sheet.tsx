import { useLingui } from "@lingui/react"
import { useEffect, useRef } from "react"
import type { WebhookWithSecret } from "../../api/types.ts"
import { Button } from "../../parts/button.tsx"
import { CopyButton } from "../../parts/copy-button.tsx"
import { closeSheetAround, Sheet, SheetActions } from "../../parts/sheet.tsx"

type SecretSheetProps = { readonly webhook: WebhookWithSecret; readonly onClose: () => void }

export function SecretSheet({ webhook, onClose }: SecretSheetProps) {
  const { i18n } = useLingui()
  return (
    <Sheet heading={i18n._("The secret of your webhook")} isSticky onClose={onClose}>
      <WebhookSecret webhook={webhook} />
    </Sheet>
  )
}

/** Shown once, here, and never again. It takes the focus, because it may replace what had it. */
export function WebhookSecret({ webhook }: Pick<SecretSheetProps, "webhook">) {
  const { i18n } = useLingui()
  const secret = useRef<HTMLPreElement>(null)
  useEffect(() => secret.current?.focus(), [])
  return (
    <>
      <p className="mb-3">
        {i18n._(
          "Save it now: it is shown only once. With it you check that a call comes from us (Standard Webhooks).",
        )}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre ref={secret} className="code" tabIndex={0} data-testid="secret">
        {webhook.secret}
      </pre>
      <SheetActions>
        <Button look="main" onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>
          {i18n._("I have saved it")}
        </Button>
        <CopyButton text={webhook.secret} label={i18n._("Copy")} />
      </SheetActions>
    </>
  )
}
