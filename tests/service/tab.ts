// What a person does in a browser that Playwright does not speak to: looks for a button, presses it, types. The two ways to
// command such a browser, WebDriver and WebDriver BiDi, have their actions in common (W3C WebDriver, 17.4).
import { until } from "./until.ts"

export type Tab = {
  readonly name: string
  readonly goto: (url: string) => Promise<void>
  /** The value of an expression in the page; a promise is waited for. */
  readonly read: (expression: string) => Promise<unknown>
  readonly act: (sources: readonly object[]) => Promise<void>
  /** A PNG of what is to be seen. */
  readonly picture: () => Promise<Buffer>
  readonly close: () => Promise<void>
}

export type Point = { readonly x: number; readonly y: number }

/** Presses what has this name, once it stands still and nothing lies over it. */
export async function press(tab: Tab, name: string): Promise<void> {
  let before = ""
  const point = await until(`“${name}” can be pressed in ${tab.name}`, async () => {
    const found = (await tab.read(placeOf(name))) as Point | null
    const stands = found !== null && before === JSON.stringify(found)
    before = JSON.stringify(found)
    return stands && found
  })
  await drag(tab, [point])
}

/** Puts the pointer down at the first point, and up at the last. */
export async function drag(tab: Tab, points: readonly Point[]): Promise<void> {
  const [first, ...rest] = points.map(({ x, y }) => ({
    type: "pointerMove",
    x: Math.round(x),
    y: Math.round(y),
    duration: 10,
    origin: "viewport",
  }))
  const down = { type: "pointerDown", button: 0 }
  const up = { type: "pointerUp", button: 0 }
  const actions = [first, down, ...rest, up]
  await tab.act([{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }])
}

export async function type(tab: Tab, text: string): Promise<void> {
  const actions = [...text].flatMap((value) => [
    { type: "keyDown", value },
    { type: "keyUp", value },
  ])
  await tab.act([{ type: "key", id: "keyboard", actions }])
}

export const sees = (tab: Tab, what: string, expression: string): Promise<unknown> =>
  until(`${what} in ${tab.name}`, () => tab.read(expression))

export const seesHeading = (tab: Tab, words: string): Promise<unknown> =>
  sees(
    tab,
    `the heading “${words}” is there and has the focus`,
    `(document.querySelector("h1")?.textContent.includes(${JSON.stringify(words)}) ?? false) &&
      document.activeElement === document.querySelector("h1")`,
  )

/** The middle of the element that has this name, where a press would meet it. */
const placeOf = (name: string): string => `(() => {
  const named = (e) => e.ariaLabel ?? e.labels?.[0]?.textContent ?? e.textContent
  const all = [...document.querySelectorAll("button, a[href], input, canvas, [role=tab]")]
  for (const e of all.filter((e) => named(e).trim() === ${JSON.stringify(name)} && e.checkVisibility())) {
    e.scrollIntoView({ block: "center", behavior: "instant" })
    const { left, top, width, height } = e.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    const met = document.elementFromPoint(x, y)
    if (met !== null && (e === met || e.contains(met))) return { x, y }
  }
  return null
})()`
