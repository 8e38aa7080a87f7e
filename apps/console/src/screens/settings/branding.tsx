import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ownLogo, type Settings, useChangeSettings, useMayManage } from "../../api/settings.ts"
import { announce } from "../../parts/announce.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { BrandPreview } from "./brand-preview.tsx"
import { ColourField, HOUSE_COLOUR } from "./colour-field.tsx"
import { contrastWithWhite, isColour, READABLE } from "./contrast.ts"
import { Form } from "./form.tsx"
import { LogoField } from "./logo-field.tsx"
import { WithSettings } from "./settings.tsx"

const MAX_CHARACTERS = 100

/** How signers see the business: in their mailbox, at the door and while they sign. */
export function Branding() {
  return <WithSettings>{(settings) => <BrandForms settings={settings} />}</WithSettings>
}

function BrandForms({ settings }: { readonly settings: Settings }) {
  const { i18n } = useLingui()
  const mayManage = useMayManage()
  const before = settings.branding
  const [accent, setAccent] = useState(before.accent)
  const [senderName, setSenderName] = useState(before.sender_name ?? "")
  const logo = useQuery({ ...ownLogo, enabled: before.logo })
  const save = useChangeSettings(() => announce(i18n._("Saved.")))
  const isReadable = accent === null || (isColour(accent) && contrastWithWhite(accent) >= READABLE)
  const isPending = before.sender_name_state === "PENDING"
  const name = senderName.trim() === "" ? null : senderName.trim()
  const shown = accent !== null && isColour(accent) ? accent : (before.accent ?? HOUSE_COLOUR)
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_25rem]">
      <div className="grid min-w-0 gap-5">
        <LogoField logo={before.logo ? (logo.data ?? null) : null} mayChange={mayManage} />
        <Form
          title={i18n._("Colour and name")}
          isBusy={save.isPending}
          error={save.error}
          isChanged={accent !== before.accent || name !== before.sender_name}
          onSave={
            mayManage ? () => isReadable && save.mutate({ branding: { accent, sender_name: name } }) : null
          }
        >
          <div className="mt-3 grid gap-6">
            <ColourField colour={accent} mayChange={mayManage} onChange={setAccent} />
            <Labelled
              label={i18n._("Name of the sender")}
              hint={i18n._("Signers see it as the sender of their e-mails. If empty, it is {name}.", {
                name: settings.name,
              })}
            >
              {(described) => (
                <input
                  {...described}
                  className="field max-w-md"
                  maxLength={MAX_CHARACTERS}
                  placeholder={settings.name}
                  value={senderName}
                  onChange={({ target }) => setSenderName(target.value)}
                />
              )}
            </Labelled>
            {isPending && (
              <p className="-mt-4 max-w-md text-sm font-semibold text-(--warn)">
                {i18n._(
                  "The operator has to confirm “{sender}” first. Until then, e-mails come from {name}.",
                  { sender: before.sender_name ?? "", name: settings.name },
                )}
              </p>
            )}
          </div>
        </Form>
      </div>
      <BrandPreview
        colour={shown}
        sender={name ?? settings.name}
        business={settings.name}
        logo={before.logo ? (logo.data ?? null) : null}
      />
    </div>
  )
}
