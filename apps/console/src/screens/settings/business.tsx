import { useLingui } from "@lingui/react"
import { Check, Minus } from "lucide-react"
import { useState } from "react"
import { type Settings, useChangeSettings, useMayManage } from "../../api/settings.ts"
import type { Quality } from "../../api/types.ts"
import { announce } from "../../parts/announce.tsx"
import { RadioCard } from "../../parts/radio-cards.tsx"
import { sayQuality } from "../../parts/said.ts"
import { Section } from "../../parts/section.tsx"
import { FEATURES, sayFeature } from "./features.ts"
import { Form } from "./form.tsx"
import { MemberFactor } from "./member-factor.tsx"
import { WithSettings } from "./settings.tsx"

const QUALITIES = ["SES", "AES", "AES_MINIMAL", "QES"] as const satisfies readonly Quality[]

export function Business() {
  return (
    <WithSettings>
      {(settings) => (
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="grid min-w-0 gap-5">
            <DefaultQuality settings={settings} />
            <MemberFactor settings={settings} />
          </div>
          <Agreed settings={settings} />
        </div>
      )}
    </WithSettings>
  )
}

function DefaultQuality({ settings }: { readonly settings: Settings }) {
  const { i18n } = useLingui()
  const mayManage = useMayManage()
  const [quality, setQuality] = useState(settings.default_quality)
  const save = useChangeSettings(() => announce(i18n._("Saved.")))
  return (
    <Form
      title={i18n._("Default signature quality")}
      about={i18n._("Used for every request, unless another quality is chosen for it.")}
      isBusy={save.isPending}
      error={save.error}
      isChanged={quality !== settings.default_quality}
      onSave={mayManage ? () => save.mutate({ default_quality: quality }) : null}
    >
      <div className="grid gap-2">
        {QUALITIES.map((each) => {
          const [name, meaning] = sayQuality(i18n, each)
          return (
            <RadioCard
              key={each}
              group="quality"
              name={name}
              meaning={meaning}
              isChosen={quality === each}
              onChoose={() => setQuality(each)}
            />
          )
        })}
      </div>
    </Form>
  )
}

/** What the operator of the service has agreed with the business: shown here, changed there. */
function Agreed({ settings }: { readonly settings: Settings }) {
  const { i18n } = useLingui()
  return (
    <Section title={settings.name}>
      <p className="mb-4 text-sm text-(--muted)">
        {i18n._("Agreed with the operator of this service. Ask them if you need more.")}
      </p>
      <dl className="grid gap-4 text-sm">
        <div>
          <dt className="mb-1 text-(--muted)">{i18n._("Switched on for you")}</dt>
          <dd>
            <ul className="grid gap-1.5">
              {FEATURES.map((feature) => (
                <Feature
                  key={feature}
                  name={sayFeature(i18n, feature)}
                  isOn={settings.features.includes(feature)}
                />
              ))}
            </ul>
          </dd>
        </div>
        <div>
          <dt className="text-(--muted)">{i18n._("API keys are valid for")}</dt>
          <dd className="font-medium">
            {i18n._("{count, plural, one {# day} other {# days}}", { count: settings.key_lifetime_days })}
          </dd>
        </div>
      </dl>
    </Section>
  )
}

function Feature({ name, isOn }: { readonly name: string; readonly isOn: boolean }) {
  const { i18n } = useLingui()
  const Sign = isOn ? Check : Minus
  return (
    <li className={`flex items-center gap-2 ${isOn ? "font-medium" : "text-(--muted)"}`}>
      <Sign aria-hidden="true" size={16} className={isOn ? "shrink-0 text-(--good)" : "shrink-0"} />
      <span>
        {name}
        {!isOn && <span className="sr-only"> ({i18n._("off")})</span>}
      </span>
    </li>
  )
}
