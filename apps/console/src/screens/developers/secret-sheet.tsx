import { useLingui } from "@lingui/react"
import type { WebhookWithSecret } from "../../api/types.ts"
import { Button } from "../../parts/button.tsx"
import { CopyButton } from "../../parts/copy-button.tsx"
import { closeSheetAround, Sheet, SheetActions } from "../../parts/sheet.tsx"

type SecretSheetProps = { readonly webhook: WebhookWithSecret; readonly onClose: () => void }

/** Shown once, here, and never again. */
export function SecretSheet({ webhook, onClose }: SecretSheetProps) {
  const { i18n } = useLingui()
  return (
    <Sheet heading={i18n._("The secret of your webhook")} onClose={onClose}>
      <p className="mb-3">
        {i18n._(
          "Keep it now: it is not shown again. With it you check that a call comes from us (Standard Webhooks).",
        )}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre className="code" tabIndex={0} data-testid="secret">
        {webhook.secret}
      </pre>
      <SheetActions>
        <Button look="main" onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>
          {i18n._("I have kept it")}
        </Button>
        <CopyButton text={webhook.secret} label={i18n._("Copy")} />
      </SheetActions>
    </Sheet>
  )
}
