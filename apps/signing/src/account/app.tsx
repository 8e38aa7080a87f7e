import { useLanguage } from "../words.ts"
import { Login } from "./login.tsx"
import { Recover } from "./recover.tsx"
import { Register } from "./register.tsx"
import { Security } from "./security/security.tsx"
import { Wrong } from "./wrong.tsx"

/** The address says which page is shown; a link from one to another is a link. */
export function App() {
  useLanguage()
  switch (location.pathname) {
    case "/account/register":
      return <Register />
    case "/account/recover":
      return <Recover />
    case "/account/security":
      return <Security />
    case "/account/wrong":
      return <Wrong />
    default:
      return <Login />
  }
}
