import { useLingui } from "@lingui/react"
import { Trash2, UserPlus } from "lucide-react"
import { LANGUAGES, type Language } from "../../language.ts"
import { Button } from "../../parts/button.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { Section } from "../../parts/section.tsx"
import { colourOf } from "../send/person-colours.ts"
import { type Editing, MAX_LABEL, newSigner, type Signer } from "./template-model.ts"

type SignersPartProps = {
  readonly editing: Editing
  readonly mayChange: boolean
  readonly onChange: (editing: Editing) => void
}

/** Who signs, by what they are. A person who is always the same has an address here already. */
export function SignersPart({ editing, mayChange, onChange }: SignersPartProps) {
  const { i18n } = useLingui()
  const { signers, isOrdered } = editing
  const replace = (now: readonly Signer[]) => onChange({ ...editing, signers: now })
  const add = () =>
    replace([
      ...signers,
      newSigner(
        i18n._("Signer {number}", { number: signers.length + 1 }),
        i18n.locale as Language,
        Math.max(0, ...signers.map(({ step }) => step)) + 1,
      ),
    ])
  return (
    <Section title={i18n._("Who signs")}>
      <label className="mb-3 flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="check"
          checked={isOrdered}
          onChange={({ target }) => onChange({ ...editing, isOrdered: target.checked })}
        />
        {i18n._("They sign one after the other")}
      </label>
      <ol className="grid gap-3">
        {signers.map((signer, index) => (
          <SignerCard
            key={signer.key}
            signer={signer}
            index={index}
            steps={isOrdered ? signers.length : 0}
            mayChange={mayChange}
            onChange={(now) => replace(signers.with(index, now))}
            onRemove={() => replace(signers.filter((_, at) => at !== index))}
          />
        ))}
      </ol>
      {mayChange && (
        <Button className="mt-3" onClick={add}>
          <UserPlus aria-hidden="true" size={18} />
          {i18n._("Add a signer")}
        </Button>
      )}
    </Section>
  )
}

type SignerCardProps = {
  readonly signer: Signer
  readonly index: number
  /** 0 where there is no order. */
  readonly steps: number
  readonly mayChange: boolean
  readonly onChange: (signer: Signer) => void
  readonly onRemove: () => void
}

function SignerCard({ signer, index, steps, mayChange, onChange, onRemove }: SignerCardProps) {
  const { i18n } = useLingui()
  return (
    <li className="rounded-xl border border-(--line) bg-(--paper) p-3 pt-2">
      <div className="flex items-end gap-2">
        <span
          aria-hidden="true"
          className="mb-3.5 size-4 shrink-0 rounded-full"
          style={{ background: colourOf(index) }}
        />
        <Labelled className="min-w-0 grow" label={i18n._("Role in the contract")}>
          {(described) => (
            <input
              {...described}
              className="field"
              maxLength={MAX_LABEL}
              placeholder={i18n._("Tenant")}
              value={signer.label}
              onChange={({ target }) => onChange({ ...signer, label: target.value })}
            />
          )}
        </Labelled>
        {mayChange && (
          <Button look="icon" aria-label={i18n._("Remove {who}", { who: signer.label })} onClick={onRemove}>
            <Trash2 aria-hidden="true" size={18} />
          </Button>
        )}
      </div>
      <div className="mt-2 flex flex-wrap gap-2 pl-6">
        <Labelled className="basis-full" label={i18n._("E-mail address")}>
          {(described) => (
            <input
              {...described}
              type="email"
              className="field"
              maxLength={254}
              placeholder={i18n._("Asked each time")}
              value={signer.email}
              onChange={({ target }) => onChange({ ...signer, email: target.value })}
            />
          )}
        </Labelled>
        {steps > 0 && (
          <Labelled className="w-20" label={i18n._("Step")}>
            {(described) => (
              <select
                {...described}
                className="field"
                value={signer.step}
                onChange={({ target }) => onChange({ ...signer, step: Number(target.value) })}
              >
                {Array.from({ length: Math.max(steps, signer.step) }, (_, at) => at + 1).map((step) => (
                  <option key={step}>{step}</option>
                ))}
              </select>
            )}
          </Labelled>
        )}
        <Labelled className="w-32" label={i18n._("Language")}>
          {(described) => (
            <select
              {...described}
              className="field"
              value={signer.language}
              onChange={({ target }) => onChange({ ...signer, language: target.value as Language })}
            >
              {Object.entries(LANGUAGES).map(([tag, name]) => (
                <option key={tag} value={tag} lang={tag}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      </div>
    </li>
  )
}
