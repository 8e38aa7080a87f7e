import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { type SignerInfo, signersIn } from "../../api/validation.ts"
import type { Language } from "../../language.ts"
import { Files } from "./files.tsx"
import { SignerCard } from "./signer-card.tsx"
import type { Done } from "./use-validation.ts"
import { Verdict } from "./verdict.tsx"

type ResultProps = Done & { readonly onAnother: () => void }

/** ETSI TS 119 441, annex D: the result of the whole first, then each signature with its reason, then the reports. */
export function Result({ onAnother, ...done }: ResultProps) {
  const { i18n } = useLingui()
  const signers = useSigners(done)
  const { answer } = done
  return (
    <div className="grid gap-5">
      <Verdict {...done} onAnother={onAnother} />
      {signers.length > 0 && (
        <section aria-label={i18n._("Signatures")} className="grid gap-5">
          <h2 className="display mt-2 text-xl">
            {i18n._("{count, plural, one {Who signed} other {Who signed: # signatures}}", {
              count: signers.length,
            })}
          </h2>
          {signers.map((signer) => (
            <SignerCard key={signer.field} validationId={answer.id} signer={signer} />
          ))}
        </section>
      )}
      <Files {...done} onGone={onAnother} />
    </div>
  )
}

/** As they were answered; in another language as soon as one is chosen. */
function useSigners({ answer, language }: Done): readonly SignerInfo[] {
  const { i18n } = useLingui()
  const first = answer.additionalInfos.signer ?? []
  const wanted = i18n.locale as Language
  const { data } = useQuery({ ...signersIn(answer.id, wanted), enabled: wanted !== language })
  return (wanted === language ? undefined : data) ?? first
}
