import { isLanguage, LANGUAGES, type Language, say, useLanguage } from "../words.ts"

type LanguageSelectProps = { readonly onChoose: (language: Language) => Promise<void> }

/** Each language by its own name, and a globe for whoever reads none of the others. */
export function LanguageSelect({ onChoose }: LanguageSelectProps) {
  const language = useLanguage()
  return (
    <label className="language">
      <span className="sr-only">{say("language.label")}</span>
      <svg viewBox="0 0 24 24" className="icon" aria-hidden="true">
        <circle cx="12" cy="12" r="9" />
        <path d="M3 12h18M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9S9 6 12 3Z" />
      </svg>
      <select
        value={language ?? "en"}
        onChange={({ target }) => isLanguage(target.value) && void onChoose(target.value)}
      >
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
