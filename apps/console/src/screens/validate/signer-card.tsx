import { useLingui } from "@lingui/react"
import { UserRound } from "lucide-react"
import { useId } from "react"
import type { SignerInfo } from "../../api/validation.ts"
import { Badge } from "../../parts/badge.tsx"
import { CertificateDetails } from "./certificate-details.tsx"
import { Changes } from "./changes.tsx"
import { Facts } from "./facts.tsx"
import { foreign } from "./foreign.tsx"
import { LOOKS } from "./look.ts"
import { sayIndication, saySignature, termOf } from "./words.ts"

type SignerCardProps = { readonly validationId: string; readonly signer: SignerInfo }

/** One signature: whose it is, whether it holds and why, and what came after it. */
export function SignerCard({ validationId, signer }: SignerCardProps) {
  const { i18n } = useLingui()
  const id = useId()
  const { Sign, badge } = LOOKS[signer.indication]
  return (
    <article aria-labelledby={id} className="card p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 id={id} className="display text-xl">
          {signer.signer === null ? i18n._("Signer unknown") : <bdi>{foreign(signer.signer)}</bdi>}
        </h3>
        <Badge look={badge} Sign={Sign}>
          {sayIndication(i18n, signer.indication)}
        </Badge>
      </div>
      <StatedName signer={signer} />
      <p className="mt-2">
        {saySignature(i18n, signer)} <span className="text-sm text-(--muted)">({termOf(signer)})</span>
      </p>
      <Sentences title={i18n._("Why")} sentences={signer.details} />
      <Facts signer={signer} />
      <Changes validationId={validationId} signer={signer} />
      <CertificateDetails signer={signer} />
    </article>
  )
}

/** Whoever signs for others, as services do, has the certificate; whom they signed for stands in the signature alone. */
function StatedName({ signer: { signer, optionalInfos } }: { readonly signer: SignerInfo }) {
  const { i18n } = useLingui()
  const { name } = optionalInfos
  if (name === null || name.trim() === "" || name === signer) return null
  return (
    <p className="mt-2 flex items-start gap-2">
      <UserRound aria-hidden="true" size={20} className="mt-0.5 shrink-0 text-(--muted)" />
      <span>
        {i18n._("The signature names “{name}”; the certificate does not confirm that name.", {
          name: foreign(name),
        })}
      </span>
    </p>
  )
}

const MAX_SENTENCES = 40

function Sentences({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }) {
  const { i18n } = useLingui()
  const said = [...new Set(sentences)]
  if (said.length === 0) return null
  return (
    <div className="mt-4">
      <h4 className="font-semibold">{title}</h4>
      <ul className="mt-1 list-disc space-y-1 pl-5">
        {said.slice(0, MAX_SENTENCES).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {said.length > MAX_SENTENCES && (
          <li>{i18n._("and {count} more", { count: said.length - MAX_SENTENCES })}</li>
        )}
      </ul>
    </div>
  )
}
