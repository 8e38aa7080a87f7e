import { useLingui } from "@lingui/react"
import type { SignerInfo } from "../../api/validation.ts"
import { Foreign } from "./foreign.tsx"

/** For whoever wants to know exactly; nobody needs it to understand the verdict. */
export function CertificateDetails({ signer }: { readonly signer: SignerInfo }) {
  const { i18n } = useLingui()
  const { certificate, optionalInfos, field, level, notes } = signer
  const rows = [
    [i18n._("Certificate issued to"), certificate?.subject],
    [i18n._("Issued by"), certificate?.issuer],
    [i18n._("Serial number"), certificate?.serialNumber],
    [i18n._("Form of the signature"), level],
    [i18n._("Field in the document"), field],
    [i18n._("Name, as the signer states it"), optionalInfos.name],
    [i18n._("Contact, as the signer states it"), optionalInfos.contact],
    [i18n._("Place, as the signer states it"), optionalInfos.location],
    [i18n._("Reason, as the signer states it"), optionalInfos.reason],
  ] as const
  return (
    <details className="mt-5 border-t border-(--line) pt-4">
      <summary className="font-semibold text-(--accent)">{i18n._("Certificate and details")}</summary>
      <dl className="mt-3 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[max-content_1fr]">
        {rows.map(
          ([name, value]) =>
            value && (
              <div key={name} className="contents">
                <dt className="text-(--muted)">{name}</dt>
                <dd className="max-sm:mb-2">
                  <Foreign text={value} />
                </dd>
              </div>
            ),
        )}
      </dl>
      {notes.length > 0 && (
        <>
          <h4 className="mt-4 text-sm font-semibold">{i18n._("Also noticed")}</h4>
          <ul className="mt-1 list-disc space-y-1 pl-5 text-sm">
            {[...new Set(notes)].map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </>
      )}
    </details>
  )
}
