import { useLingui } from "@lingui/react"
import type { ReactNode } from "react"
import type { SignatureRequest } from "../../api/types.ts"
import { sayDay, sayQuality, sayTime } from "../../parts/said.ts"
import { Section } from "../../parts/section.tsx"

export function Facts({ request }: { readonly request: SignatureRequest }) {
  const { i18n } = useLingui()
  const { quality, legislation, message, owner, created_at, updated_at, expires_at, auto_delete_at } = request
  return (
    <Section title={i18n._("About this request")}>
      <dl className="grid gap-3 text-sm">
        {message !== null && message !== "" && (
          <Fact name={i18n._("Message")}>
            <span className="whitespace-pre-line">{message}</span>
          </Fact>
        )}
        <Fact name={i18n._("Quality")}>
          {sayQuality(i18n, quality)[0]}
          {legislation !== null && ` · ${LAWS[legislation]}`}
        </Fact>
        <Fact name={i18n._("Created")}>{sayTime(i18n, created_at)}</Fact>
        <Fact name={i18n._("Last change")}>{sayTime(i18n, updated_at)}</Fact>
        {expires_at !== null && <Fact name={i18n._("Last day to sign")}>{sayDay(i18n, expires_at)}</Fact>}
        {auto_delete_at !== null && (
          <Fact name={i18n._("Deleted by itself on")}>{sayDay(i18n, auto_delete_at)}</Fact>
        )}
        <Fact name={i18n._("Owner")}>{owner}</Fact>
        {request.write_access.length > 0 && (
          <Fact name={i18n._("May change it")}>{request.write_access.join(", ")}</Fact>
        )}
        {request.read_access.length > 0 && (
          <Fact name={i18n._("May read it")}>{request.read_access.join(", ")}</Fact>
        )}
        <Fact name={i18n._("Number")}>
          <code className="text-xs">{request.id}</code>
        </Fact>
      </dl>
    </Section>
  )
}

export const LAWS = { ZERTES: "ZertES", EIDAS: "eIDAS" } as const

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-(--muted)">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  )
}
