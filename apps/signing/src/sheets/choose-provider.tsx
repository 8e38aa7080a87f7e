import type { AtProvider, View } from "../api.ts"
import type { Draft } from "../draft.ts"
import { isolated, say } from "../words.ts"

type ChooseProviderProps = { readonly view: View; readonly at: AtProvider; readonly draft: Draft }

/** Where the person has a certificate; or that they confirm here, where that is enough and they can. */
export function ChooseProvider({ view, at: { providers, required }, draft }: ChooseProviderProps) {
  const canConfirmHere = !required && view.factor !== null && view.factor.kinds.length > 0
  const choices = [
    ...providers.map(({ name, title }) => ({
      value: name,
      text: say("provider.at", { title: isolated(title) }),
    })),
    ...(canConfirmHere ? [{ value: null, text: say("provider.here") }] : []),
  ]
  return (
    <fieldset className="mt-5">
      <legend className="font-semibold">{say("provider.choose")}</legend>
      <p className="text-sm text-(--muted)">{say("provider.how")}</p>
      {choices.map(({ value, text }) => (
        <label key={value ?? ""} className="choice mt-2">
          <input
            type="radio"
            name="provider"
            checked={draft.provider === value}
            onChange={() => draft.setProvider(value)}
          />
          <span>{text}</span>
        </label>
      ))}
      {!required && !canConfirmHere && view.factor !== null && view.factor.setUp !== null && (
        <p className="mt-3 text-sm">
          <a className="link" href={view.factor.setUp}>
            {say("provider.none")}
          </a>
        </p>
      )}
    </fieldset>
  )
}
