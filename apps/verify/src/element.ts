// Elements from plain data. Text is text: nothing that a file says becomes markup.

type Props = Readonly<Record<string, string | boolean | ((event: Event) => void)>>
type Child = Node | string | null

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(props))
    if (typeof value === "function") made.addEventListener(name, value)
    else if (typeof value === "boolean") made.toggleAttribute(name, value)
    else made.setAttribute(name, value)
  made.append(...children.filter((child) => child !== null))
  return made
}
