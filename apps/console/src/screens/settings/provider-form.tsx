import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Switch } from "radix-ui"
import { useId, useState } from "react"
import {
  deleteSingleSignOn,
  ownSettings,
  putSingleSignOn,
  type SingleSignOn,
  type SingleSignOnBody,
} from "../../api/settings.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { closeSheetAround, Sheet, SheetActions } from "../../parts/sheet.tsx"
import { Form } from "./form.tsx"

type Answers = Pick<SingleSignOnBody, "issuer" | "client_id" | "enforced" | "join">

/** The answers are kept apart from the secret, which is sent and never comes back. */
export function ProviderForm({ before }: { readonly before: SingleSignOn }) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const isOn = before.issuer !== null
  const { enforced, join } = before
  const first = { issuer: before.issuer ?? "", client_id: before.client_id ?? "", enforced, join }
  const [answers, setAnswers] = useState<Answers>(first)
  const [secret, setSecret] = useState("")
  const [isRemoving, setRemoving] = useState(false)
  const change = (now: Partial<Answers>) => setAnswers({ ...answers, ...now })
  const save = useMutation({
    mutationFn: () =>
      putSingleSignOn({
        ...answers,
        issuer: answers.issuer.trim(),
        client_id: answers.client_id.trim(),
        ...(secret !== "" && { client_secret: secret }),
      }),
    onSuccess: async () => {
      setSecret("")
      announce(i18n._("Saved."))
      await client.invalidateQueries({ queryKey: ownSettings.queryKey })
    },
  })
  const isChanged = secret !== "" || JSON.stringify(answers) !== JSON.stringify(first)
  return (
    <>
      <Form
        title={i18n._("Your identity provider")}
        about={i18n._("OpenID Connect, such as Microsoft Entra ID, Google Workspace, Okta or Keycloak.")}
        isBusy={save.isPending}
        error={save.error}
        isChanged={isChanged}
        onSave={() => save.mutate()}
        more={
          isOn && (
            <Button look="bare" onClick={() => setRemoving(true)}>
              {i18n._("Switch off")}
            </Button>
          )
        }
      >
        <ProviderFields answers={answers} change={change} secret={secret} onSecret={setSecret} isOn={isOn} />
      </Form>
      {isRemoving && <RemoveSheet onClose={() => setRemoving(false)} />}
    </>
  )
}

type ProviderFieldsProps = {
  readonly answers: Answers
  readonly change: (now: Partial<Answers>) => void
  readonly secret: string
  readonly onSecret: (secret: string) => void
  readonly isOn: boolean
}

function ProviderFields({ answers, change, secret, onSecret, isOn }: ProviderFieldsProps) {
  const { i18n } = useLingui()
  return (
    <div className="grid gap-4">
      <Labelled
        label={i18n._("Address of the issuer")}
        hint={i18n._("As your provider states it. It begins with https://")}
      >
        {(described) => (
          <input
            {...described}
            type="url"
            inputMode="url"
            className="field"
            placeholder="https://login.example.org/realms/acme"
            value={answers.issuer}
            onChange={({ target }) => change({ issuer: target.value })}
          />
        )}
      </Labelled>
      <div className="grid gap-4 sm:grid-cols-2">
        <Labelled label={i18n._("Client ID")}>
          {(described) => (
            <input
              {...described}
              className="field"
              autoComplete="off"
              spellCheck={false}
              value={answers.client_id}
              onChange={({ target }) => change({ client_id: target.value })}
            />
          )}
        </Labelled>
        <Labelled
          label={i18n._("Client secret")}
          hint={isOn ? i18n._("Leave it empty to keep the one that is there.") : undefined}
        >
          {(described) => (
            <input
              {...described}
              type="password"
              className="field"
              autoComplete="new-password"
              placeholder={isOn ? "••••••••" : ""}
              value={secret}
              onChange={({ target }) => onSecret(target.value)}
            />
          )}
        </Labelled>
      </div>
      <Toggle
        isOn={answers.join === "member"}
        onChange={(is) => change({ join: is ? "member" : "nobody" })}
        name={i18n._("Add colleagues automatically")}
        about={i18n._("Whoever signs in through your provider for the first time is added as a member.")}
      />
      <Toggle
        isOn={answers.enforced}
        onChange={(is) => change({ enforced: is })}
        name={i18n._("Require single sign-on")}
        about={i18n._(
          "Members with an address of your domains cannot use a password or a passkey any more. Sign in this way once before you switch it on.",
        )}
      />
    </div>
  )
}

type ToggleProps = {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly name: string
  readonly about: string
}

function Toggle({ isOn, onChange, name, about }: ToggleProps) {
  const id = useId()
  return (
    <div className="flex items-center gap-4 rounded-xl bg-(--paper) px-4 py-3">
      <label htmlFor={id} className="grow">
        <span className="block font-semibold">{name}</span>
        <span className="block text-sm text-(--muted)">{about}</span>
      </label>
      <Switch.Root id={id} className="switch" checked={isOn} onCheckedChange={onChange}>
        <Switch.Thumb className="switch-thumb" />
      </Switch.Root>
    </div>
  )
}

function RemoveSheet({ onClose }: { readonly onClose: () => void }) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: deleteSingleSignOn,
    onSuccess: async () => {
      announce(i18n._("Single sign-on is off."))
      onClose()
      await client.invalidateQueries({ queryKey: ownSettings.queryKey })
    },
  })
  return (
    <Sheet heading={i18n._("Switch off single sign-on?")} onClose={onClose}>
      <p>
        {i18n._(
          "Members sign in with their password or passkey from then on. Who has neither sets a password by “Forgot password”.",
        )}
      </p>
      <Wrong error={remove.error} />
      <SheetActions>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {i18n._("Switch off")}
        </Button>
        <Button onClick={({ currentTarget }) => closeSheetAround(currentTarget)}>{i18n._("Go back")}</Button>
      </SheetActions>
    </Sheet>
  )
}
