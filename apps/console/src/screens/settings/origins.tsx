import { useLingui } from "@lingui/react"
import { useState } from "react"
import { type Settings, useChangeSettings, useMayManage } from "../../api/settings.ts"
import { announce } from "../../parts/announce.tsx"
import { Form } from "./form.tsx"
import { OriginList } from "./origin-list.tsx"
import { WithSettings } from "./settings.tsx"

/** Where signers may be led to, and who may show the signing page inside a page of their own. */
export function Origins() {
  const { i18n } = useLingui()
  return (
    <WithSettings>
      {(settings) => (
        <div className="grid max-w-3xl gap-5">
          <OriginsForm
            settings={settings}
            which="exit_origins"
            title={i18n._("Where signers go afterwards")}
            about={i18n._(
              "After signing, people can return to a page of yours. The addresses listed here open by themselves. Before any other address, we ask the signer and show where it leads.",
            )}
            empty={i18n._("None listed: we ask the signer before every address.")}
          />
          <OriginsForm
            settings={settings}
            which="embed_origins"
            title={i18n._("Who may embed the signing page")}
            about={i18n._(
              "Your own pages can show the signing page inside them. Only the addresses listed here may do so, so that nobody is tricked into signing.",
            )}
            empty={i18n._("None listed: no other page can show it.")}
          />
        </div>
      )}
    </WithSettings>
  )
}

type OriginsFormProps = {
  readonly settings: Settings
  readonly which: "exit_origins" | "embed_origins"
  readonly title: string
  readonly about: string
  readonly empty: string
}

function OriginsForm({ settings, which, title, about, empty }: OriginsFormProps) {
  const { i18n } = useLingui()
  const mayManage = useMayManage()
  const before = settings[which]
  const [origins, setOrigins] = useState<readonly string[]>(before)
  const save = useChangeSettings(() => announce(i18n._("Saved.")))
  return (
    <Form
      title={title}
      about={about}
      isBusy={save.isPending}
      error={save.error}
      isChanged={String(origins) !== String(before)}
      onSave={mayManage ? () => save.mutate({ [which]: [...origins] }) : null}
    >
      <OriginList label={title} origins={origins} empty={empty} mayChange={mayManage} onChange={setOrigins} />
    </Form>
  )
}
