import { say } from "../words.ts"
import { logOut } from "./api.ts"

let unmount: () => void = () => undefined

export function onLeave(work: () => void): void {
  unmount = work
}

/** Signs out and goes on to `next`. Where the server cannot be told, the page is cleared all the same (ASVS 14.3.1). */
export async function leave(next: string): Promise<void> {
  const isOut = await logOut().then(
    () => true,
    () => false,
  )
  if (isOut) location.assign(next)
  else clearPage(next)
}

function clearPage(next: string): void {
  unmount()
  history.replaceState(null, "", "/account/login")
  document.title = "Paraph"
  const [heading, text, button] = [
    document.createElement("h1"),
    document.createElement("p"),
    document.createElement("button"),
  ]
  heading.textContent = say("leave.heading")
  heading.tabIndex = -1
  text.textContent = say("leave.text")
  button.textContent = say("logout")
  button.type = "button"
  button.className = "button button-main"
  button.addEventListener("click", () => void leave(next))
  const card = document.createElement("main")
  card.className = "card mx-auto mt-8 grid max-w-xl gap-4"
  card.append(heading, text, button)
  document.body.replaceChildren(card)
  heading.focus()
}
