import { createContext, useContext } from "react"
import { chooseLanguage } from "../api.ts"
import { catalogues } from "../locales/catalogues.ts"
import { isLanguage, LANGUAGES, say, speak, useLanguage } from "../words.ts"

/** What to do when somebody has chosen a language: the server's own words (the consent) come in it, too. */
const Chosen = createContext<() => void>(() => undefined)
export const ChooseLanguage = Chosen.Provider

export function LanguageSwitch() {
  const language = useLanguage()
  const onChosen = useContext(Chosen)

  async function choose(wanted: string) {
    if (!isLanguage(wanted)) return
    await speak(wanted, catalogues)
    await chooseLanguage(wanted).then(onChosen, () => undefined)
  }

  return (
    <label className="language">
      <span className="sr-only">{say("language.label")}</span>
      <svg viewBox="0 0 24 24" className="icon" aria-hidden="true">
        <circle cx="12" cy="12" r="9" />
        <path d="M3 12h18M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9S9 6 12 3Z" />
      </svg>
      <select value={language ?? "en"} onChange={(event) => void choose(event.target.value)}>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
