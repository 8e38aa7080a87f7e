import { useLingui } from "@lingui/react"
import { TriangleAlert } from "lucide-react"
import { type ReactNode, useEffect, useRef } from "react"
import type { ApiKeyWithSecret } from "../../api/keys.ts"
import { Button } from "../../parts/button.tsx"
import { CopyButton } from "../../parts/copy-button.tsx"
import { closeSheetAround, SheetActions } from "../../parts/sheet.tsx"

type KeyOnceProps = { readonly of: ApiKeyWithSecret; readonly children?: ReactNode }

/** The whole key, once, and what a program does with it first. It takes the focus, because it replaces what had it. */
export function KeyOnce({ of: { username, api_key: secret }, children }: KeyOnceProps) {
  const { i18n } = useLingui()
  const warning = useRef<HTMLParagraphElement>(null)
  useEffect(() => warning.current?.focus(), [])
  return (
    <>
      <p
        ref={warning}
        tabIndex={-1}
        className="mb-4 flex items-start gap-3 rounded-xl bg-(--warn-soft) px-4 py-3 font-semibold text-(--warn) outline-none"
      >
        <TriangleAlert aria-hidden="true" size={20} className="mt-0.5 shrink-0" />
        {i18n._("Save it now, in a safe place. It is shown only once.")}
      </p>
      <dl className="grid gap-3">
        <div>
          <dt className="mb-1 text-sm font-semibold">{i18n._("API user")}</dt>
          <dd>
            <code className="code block" data-testid="username">
              {username}
            </code>
          </dd>
        </div>
        <div>
          <dt className="mb-1 text-sm font-semibold">{i18n._("API key")}</dt>
          <dd>
            <code className="code block break-all whitespace-normal" data-testid="secret">
              {secret}
            </code>
          </dd>
        </div>
      </dl>
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton text={secret} label={i18n._("Copy the key")} />
        <CopyButton text={loginOf(username, secret)} label={i18n._("Copy a login with curl")} />
      </div>
      {children}
      <SheetActions>
        <Button look="main" onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>
          {i18n._("I have saved it")}
        </Button>
      </SheetActions>
    </>
  )
}

const loginOf = (username: string, secret: string): string =>
  `curl ${location.origin}/v2/access/login -H 'content-type: application/json' -d '${JSON.stringify({ username, "api-key": secret })}'`
