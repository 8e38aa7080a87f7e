import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./app.tsx"
import "./app.css"

const root = document.getElementById("app")
if (root === null) throw new Error("The page has no place for the app.")
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
