import { useLingui } from "@lingui/react"
import { useState } from "react"
import { announce } from "../../parts/announce.tsx"
import { Form } from "./form.tsx"
import { OriginList } from "./origin-list.tsx"
import { WithSettings } from "./settings.tsx"
import { type Settings, useChangeSettings, useMayManage } from "./settings-api.ts"

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
              "A request can lead its signers to a page of yours when they are done. To these addresses they go by themselves; any other one asks them first, and shows where it leads.",
            )}
            empty={i18n._("None listed: signers go to every address by themselves.")}
          />
          <OriginsForm
            settings={settings}
            which="embed_origins"
            title={i18n._("Who may embed the signing page")}
            about={i18n._(
              "Pages at these addresses may show the signing page in a frame. No other page can, so that nobody is tricked into signing.",
            )}
            empty={i18n._("Nobody: the signing page stands alone.")}
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
