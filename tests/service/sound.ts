import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"
import { expect } from "vitest"

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
/** By name: left alone, axe passes over what is new in WCAG 2.2. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
/** For people who look at the screens: a folder for pictures of each of them. */
const SHOTS = process.env.PARAPH_SHOTS

/** WCAG 2.2 A and AA, best practice, and nothing wider than the screen. */
export async function mustBeSound(page: Page, what = page.url()): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${fileName(what)}.png`, fullPage: true })
  expect(await findings(page), what).toEqual([])
  await mustFit(page, what)
}

const fileName = (what: string): string => what.replace(/[^\w.-]+/g, "-")

/** A colour on its way from light to dark is neither. */
const SETTLED = `Promise.all(document.getAnimations()
  .filter((animation) => animation instanceof CSSTransition)
  .map(({ finished }) => finished.catch(() => undefined)))`

/** Also the contrast in the dark. */
export async function mustBeSoundInBoth(page: Page, what: string): Promise<void> {
  await mustBeSound(page, what)
  await page.emulateMedia({ colorScheme: "dark" })
  await page.evaluate(SETTLED)
  expect(await findings(page, ["color-contrast"]), `${what}, in the dark`).toEqual([])
  await page.emulateMedia({ colorScheme: "light" })
}

/** Nothing is wider than the screen. */
export async function mustFit(page: Page, what: string): Promise<void> {
  const overflow = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  )
  expect(overflow, what).toBe(0)
}

type Axe = {
  run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

async function findings(page: Page, rules: readonly string[] = RULES): Promise<string[]> {
  // Not by a script tag: our own policy would, rightly, refuse it.
  await page.evaluate(AXE)
  return page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run({ runOnly })
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  }, rules)
}
