import { createContext, useContext } from "react"
import { chooseLanguage } from "../api.ts"
import { catalogues } from "../locales/catalogues.ts"
import { type Language, speak } from "../words.ts"
import { LanguageSelect } from "./language-select.tsx"

/** What to do when somebody has chosen a language: the server's own words (the consent) come in it, too. */
const Chosen = createContext<() => void>(() => undefined)
export const ChooseLanguage = Chosen.Provider

export function LanguageSwitch() {
  const onChosen = useContext(Chosen)

  async function choose(wanted: Language) {
    await speak(wanted, catalogues)
    await chooseLanguage(wanted).then(onChosen, () => undefined)
  }

  return <LanguageSelect onChoose={choose} />
}
