import { i18n } from "@lingui/core"
import { I18nProvider } from "@lingui/react"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { createRoot } from "react-dom/client"
import "./app.css"
import { queries } from "./api/queries.ts"
import { speak, wantedLanguage } from "./language.ts"
import { router } from "./router.tsx"
import { onLeave } from "./session/leave.ts"
import { SessionGate } from "./session/session.tsx"
import { dropToken } from "./session/tokens.ts"

const root = document.getElementById("app")
if (root === null) throw new Error("The page has no place for the console.")
await speak(wantedLanguage())
const app = createRoot(root)
onLeave(() => {
  app.unmount()
  dropToken()
})
app.render(
  <I18nProvider i18n={i18n}>
    <QueryClientProvider client={queries}>
      <SessionGate>
        <RouterProvider router={router} />
      </SessionGate>
    </QueryClientProvider>
  </I18nProvider>,
)
