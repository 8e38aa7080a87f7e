// What was found, as a page.

import { writeEtsiReport } from "@paraph/validation/etsi-report"
import { fill } from "@paraph/validation/words-of-language"
import { sayVerified, type Told, type ToldEvents, type ToldPart } from "@paraph/verifying/say"
import { type Language, verifyWords } from "@paraph/verifying/words"
import { element } from "./element.ts"
import type { VerifiedHere } from "./engine.ts"
import { pageWords } from "./words.ts"

export function showResult(verified: VerifiedHere, language: Language): HTMLElement {
  const told: Told = sayVerified(verified, language)
  const { unknownCurve } = verifyWords(language)
  const curves = verified.unknownCurves.map((curve) => fill(unknownCurve, { curve }))
  return element(
    "div",
    {},
    element(
      "div",
      { class: `headline ${told.standing}` },
      element("h2", { tabindex: "-1", id: "headline" }, told.headline),
      element("p", {}, told.checkedFor),
    ),
    ...[...told.notes, ...curves].map((note) => element("p", { class: "card" }, note)),
    ...told.parts.map((part) => showPart(part, 3)),
    downloads(verified, language),
  )
}

function showPart(part: ToldPart, level: 3 | 4): HTMLElement {
  return element(
    // A signature has a heading; only files and stories are places to go to.
    level === 3 ? "section" : "div",
    level === 3 ? { class: "card", "aria-label": part.title } : { class: "card" },
    element(
      "div",
      { class: "title" },
      element(`h${level}`, {}, part.title),
      element("span", { class: `sign ${part.standing}` }, part.standingText),
    ),
    ...part.sentences.map((sentence) => element("p", {}, sentence)),
    part.rows.length === 0
      ? null
      : element(
          "dl",
          {},
          ...part.rows.flatMap(({ label, text, isCode }) => [
            element("dt", {}, label),
            element("dd", {}, isCode ? element("code", {}, text) : text),
          ]),
        ),
    ...part.parts.map((inner) => showPart(inner, 4)),
    part.events && showEvents(part.events),
  )
}

function showEvents({ title, rows }: ToldEvents): HTMLElement {
  const items = rows.map(([number, time, event, details]) =>
    element(
      "li",
      {},
      element("strong", {}, `${number}. ${event}`),
      element("span", { class: "muted" }, time),
      details === "" ? null : element("span", { class: "muted" }, details),
    ),
  )
  return element(
    "details",
    {},
    element("summary", {}, `${title} (${rows.length})`),
    // Safari takes a list without marks for no list.
    element("ol", { role: "list" }, ...items),
  )
}

function downloads({ documents }: VerifiedHere, language: Language): HTMLElement | null {
  const links = documents.flatMap(({ name, report }) => {
    if (report === null) return []
    const save = () => saveAs(`${name.replace(/\.pdf$/i, "")}.xml`, writeEtsiReport(report))
    return element("button", { type: "button", click: save }, fill(pageWords(language).xml, { name }))
  })
  return links.length === 0 ? null : element("div", { class: "actions" }, ...links)
}

function saveAs(name: string, xml: string): void {
  const address = URL.createObjectURL(new Blob([xml], { type: "application/xml" }))
  element("a", { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}
