import { i18n } from "@lingui/core"
import { queries } from "../api/queries.ts"

let unmount: () => void = () => undefined

export function onLeave(work: () => void): void {
  unmount = work
}

/** Clears the page and what it holds in memory where the server cannot be told that the person signs out (ASVS 14.3.1). */
export function clearPage(again: () => void): void {
  unmount()
  queries.clear()
  history.replaceState(null, "", "/console/")
  document.title = "Paraph"
  const [heading, text, button] = [
    document.createElement("h1"),
    document.createElement("p"),
    document.createElement("button"),
  ]
  heading.textContent = i18n._("You are not signed out yet")
  heading.tabIndex = -1
  text.textContent = i18n._(
    "The server cannot be reached. This page is cleared, but your session goes on: it ends by itself after 12 hours without use. Try again as soon as you are online.",
  )
  button.textContent = i18n._("Sign out")
  button.type = "button"
  button.addEventListener("click", again)
  for (const each of [heading, text, button]) each.className = "my-4"
  const main = document.createElement("main")
  main.className = "mx-auto max-w-xl px-4 py-8"
  main.append(heading, text, button)
  document.body.replaceChildren(main)
  heading.focus()
}
