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

  /** The choice is kept before it is seen: whoever goes on to another page at once finds that one in it, too. */
  async function choose(wanted: Language) {
    const kept = await chooseLanguage(wanted).then(
      () => true,
      () => false,
    )
    await speak(wanted, catalogues)
    if (kept) onChosen()
  }

  return <LanguageSelect onChoose={choose} />
}
