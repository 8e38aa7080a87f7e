import { useLingui } from "@lingui/react"
import { LANGUAGES, type Language } from "../language.ts"
import { Labelled } from "./labelled.tsx"
import { isAddress, type PersonData } from "./signer-entry.ts"

type PersonFieldsProps = {
  readonly person: PersonData
  readonly onChange: (person: PersonData) => void
  /** Somebody tried to go on: what is missing is said from now on. */
  readonly isTried: boolean
}

export function PersonFields({ person, onChange, isTried }: PersonFieldsProps) {
  const { i18n } = useLingui()
  const isWrong = !isAddress(person.email) && (isTried || person.email.includes("@ "))
  const text = (name: "email" | "firstName" | "lastName") => ({
    className: "field",
    value: person[name],
    autoComplete: "off",
    onChange: ({ target }: { target: HTMLInputElement }) => onChange({ ...person, [name]: target.value }),
  })
  return (
    <div className="@container">
      <div className="grid grid-cols-2 gap-3 @3xl:grid-cols-[2fr_1fr_1fr_9rem]">
        <Labelled
          className="col-span-2 @3xl:col-span-1"
          label={i18n._("E-mail address")}
          error={isWrong ? i18n._("Please type an e-mail address such as ada@example.org.") : null}
        >
          {(described) => (
            <input
              {...described}
              type="email"
              inputMode="email"
              required
              maxLength={254}
              {...text("email")}
            />
          )}
        </Labelled>
        <Labelled label={i18n._("First name")}>
          {(described) => <input {...described} maxLength={200} {...text("firstName")} />}
        </Labelled>
        <Labelled label={i18n._("Last name")}>
          {(described) => <input {...described} maxLength={200} {...text("lastName")} />}
        </Labelled>
        <Labelled label={i18n._("E-mail language")} className="col-span-2 @3xl:col-span-1">
          {(described) => (
            <select
              {...described}
              className="field"
              value={person.language}
              onChange={(event) => onChange({ ...person, language: event.target.value as Language })}
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
    </div>
  )
}
