import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { browserLanguage, isLanguage, speak } from "../words.ts"
import { App } from "./app.tsx"
import { catalogues } from "./catalogues.ts"
import { onLeave } from "./leave.ts"
import "../app.css"
import "./account.css"

const root = document.getElementById("app")
if (root === null) throw new Error("The page has no place for the app.")
// The server writes the language into the page: what the address asks for, what was chosen before, what the browser says.
const { lang } = document.documentElement
await speak(isLanguage(lang) ? lang : browserLanguage(), catalogues)
const app = createRoot(root)
onLeave(() => app.unmount())
app.render(
  <StrictMode>
    <App />
  </StrictMode>,
)
