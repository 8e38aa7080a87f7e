import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { singleSignOn } from "../../api/settings.ts"
import { CopyButton } from "../../parts/copy-button.tsx"
import { Loading, Wrong } from "../../parts/notice.tsx"
import { Section } from "../../parts/section.tsx"
import { useSession } from "../../session/session.tsx"
import { ProviderForm } from "./provider-form.tsx"

/** Members sign in where they sign in to everything else of their business (OpenID Connect). */
export function SingleSignOn() {
  const { i18n } = useLingui()
  const isOwner = useSession().membership.role === "owner"
  const found = useQuery({ ...singleSignOn, enabled: isOwner })
  if (!isOwner)
    return (
      <Section title={i18n._("Single sign-on")}>
        <p className="text-(--muted)">
          {i18n._("Only owners of your business see this: whoever names the provider decides who comes in.")}
        </p>
      </Section>
    )
  if (found.data === undefined) return found.isPending ? <Loading /> : <Wrong error={found.error} />
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <ProviderForm key={String(found.data.issuer === null)} before={found.data} />
      <div className="grid min-w-0 gap-5">
        <AtTheProvider address={found.data.redirect_uri} />
        <Domains domains={found.data.domains} />
      </div>
    </div>
  )
}

function AtTheProvider({ address }: { readonly address: string }) {
  const { i18n } = useLingui()
  return (
    <Section title={i18n._("At your provider")}>
      <p className="mb-2 text-sm text-(--muted)">
        {i18n._("Register a web application there, with this redirect address:")}
      </p>
      <p className="mb-3 rounded-lg border border-(--line) bg-(--paper) px-3 py-2 font-mono text-xs">
        {address}
      </p>
      <CopyButton text={address} label={i18n._("Copy")} />
    </Section>
  )
}

function Domains({ domains }: { readonly domains: readonly string[] }) {
  const { i18n } = useLingui()
  return (
    <Section title={i18n._("Your domains")}>
      {domains.length === 0 ? (
        <p className="text-sm">
          {i18n._(
            "None yet. Single sign-on begins when the operator of this service has granted you a domain.",
          )}
        </p>
      ) : (
        <ul className="mb-3 flex flex-wrap gap-2">
          {domains.map((domain) => (
            <li key={domain} className="badge bg-(--accent-soft) text-(--accent)">
              {domain}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-sm text-(--muted)">
        {i18n._(
          "Only addresses of these domains sign in through your provider. The operator checks that they are yours.",
        )}
      </p>
    </Section>
  )
}
