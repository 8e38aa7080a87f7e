import { useLingui } from "@lingui/react"
import type { Quality } from "../../api/types.ts"
import { Labelled } from "../../parts/labelled.tsx"
import { sayQuality } from "../../parts/said.ts"
import { Section } from "../../parts/section.tsx"
import { type Editing, MAX_NAME } from "./template-model.ts"

type TermsPartProps = { readonly editing: Editing; readonly onChange: (editing: Editing) => void }

const QUALITIES = ["SES", "AES", "AES_MINIMAL", "QES"] as const satisfies readonly Quality[]
const needsLaw = (quality: Quality): boolean => quality === "QES" || quality === "AES_MINIMAL"

/** What the request says, whoever signs it. */
export function TermsPart({ editing, onChange }: TermsPartProps) {
  const { i18n } = useLingui()
  const text = (name: "name" | "title" | "message" | "expiresInDays") => ({
    className: "field",
    value: editing[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...editing, [name]: target.value }),
  })
  const choose = (quality: Quality | null) =>
    onChange({
      ...editing,
      quality,
      legislation: quality !== null && needsLaw(quality) ? (editing.legislation ?? "ZERTES") : null,
    })
  return (
    <Section title={i18n._("The request")}>
      <div className="grid gap-4">
        <Labelled label={i18n._("Name of the template")}>
          {(described) => <input {...described} maxLength={MAX_NAME} {...text("name")} />}
        </Labelled>
        <Labelled label={i18n._("Title")} hint={i18n._("Signers see it in their e-mail.")}>
          {(described) => <input {...described} maxLength={200} {...text("title")} />}
        </Labelled>
        <Labelled label={i18n._("Message to the signers")}>
          {(described) => <textarea {...described} rows={4} maxLength={1024} {...text("message")} />}
        </Labelled>
        <div className="grid gap-4 sm:grid-cols-2">
          <Labelled label={i18n._("Quality of the signature")}>
            {(described) => (
              <select
                {...described}
                className="field"
                value={editing.quality ?? ""}
                onChange={({ target }) => choose(target.value === "" ? null : (target.value as Quality))}
              >
                <option value="">{i18n._("Business default")}</option>
                {QUALITIES.map((quality) => (
                  <option key={quality} value={quality}>
                    {sayQuality(i18n, quality)[0]}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
          <Labelled label={i18n._("Days to sign")} hint={i18n._("Leave empty for no last day.")}>
            {(described) => (
              <input {...described} inputMode="numeric" maxLength={3} {...text("expiresInDays")} />
            )}
          </Labelled>
        </div>
      </div>
    </Section>
  )
}
