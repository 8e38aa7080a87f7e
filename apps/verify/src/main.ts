// The page: files in, an answer in words out, without anybody else.

import type { Certificate } from "@paraph/pki/certificate"
import { fill } from "@paraph/validation/words-of-language"
import {
  type GivenFile,
  MAX_FILE_BYTES,
  TrustNotUnderstood,
  trustedCertificates,
  trustedLogKeys,
} from "@paraph/verifying/take-in"
import { LANGUAGES, type Language } from "@paraph/verifying/words"
import { element } from "./element.ts"
import { type VerifiedHere, verifyHere } from "./engine.ts"
import { showResult } from "./result.ts"
import { LANGUAGE_NAMES, pageWords } from "./words.ts"

type Roots = { readonly name: string; readonly certificates: readonly Certificate[] }

const state = {
  language: firstLanguage(),
  files: [] as readonly GivenFile[],
  roots: [] as readonly Roots[],
  rootsProblem: "",
  logKey: "",
  verified: null as VerifiedHere | null,
  isWorking: false,
  hasFailed: false,
  /** What was asked last; an answer to something earlier is not shown. */
  asked: 0,
}

function firstLanguage(): Language {
  const wanted = navigator.languages.map((one) => one.slice(0, 2))
  return wanted.flatMap((one) => LANGUAGES.find((known) => known === one) ?? [])[0] ?? "en"
}

function show(focus?: string): void {
  const words = pageWords(state.language)
  document.documentElement.lang = state.language
  document.title = words.title
  const open = document.querySelector("details.trust")?.hasAttribute("open") ?? false
  const main = element(
    "main",
    {},
    element("p", {}, words.lead),
    dropping(),
    trusting(open),
    element("div", { role: "status", "aria-live": "polite" }, state.isWorking ? words.working : ""),
    element("section", { "aria-label": words.result }, outcome()),
  )
  document.body.replaceChildren(heading(), main)
  if (focus !== undefined) document.getElementById(focus)?.focus()
}

function heading(): HTMLElement {
  const words = pageWords(state.language)
  const choices = LANGUAGES.map((one) =>
    element(
      "option",
      { value: one, lang: one, ...(one === state.language && { selected: true }) },
      LANGUAGE_NAMES[one],
    ),
  )
  const change = (event: Event) => {
    const told = (event.target as HTMLSelectElement).value
    state.language = LANGUAGES.find((one) => one === told) ?? state.language
    show("language")
  }
  return element(
    "header",
    {},
    element("h1", {}, words.title),
    element("select", { id: "language", "aria-label": words.language, change }, ...choices),
  )
}

function dropping(): HTMLElement {
  const words = pageWords(state.language)
  const area = element(
    "div",
    {
      class: "card drop",
      dragover: (event) => {
        event.preventDefault()
        area.classList.add("over")
      },
      dragleave: () => area.classList.remove("over"),
      drop: (event) => {
        event.preventDefault()
        area.classList.remove("over")
        void take((event as DragEvent).dataTransfer?.files ?? [])
      },
    },
    element("p", {}, words.drop),
    picking("files", words.pick, "pick", (files) => take(files)),
    state.files.length === 0
      ? null
      : element(
          "ul",
          { class: "names", "aria-label": words.files },
          ...state.files.map(({ name }) => element("li", {}, name)),
        ),
    state.files.length === 0
      ? null
      : element("div", {}, element("button", { type: "button", click: startAgain }, words.again)),
  )
  return area
}

function picking(
  id: string,
  text: string,
  look: string,
  picked: (files: FileList) => Promise<void>,
): HTMLElement {
  const change = (event: Event) => void picked((event.target as HTMLInputElement).files ?? new FileList())
  return element(
    "label",
    { class: look },
    text,
    element("input", { id, type: "file", multiple: true, change }),
  )
}

function startAgain(): void {
  Object.assign(state, { files: [], verified: null, hasFailed: false })
  state.asked += 1
  show("files")
}

function trusting(open: boolean): HTMLElement {
  const words = pageWords(state.language)
  const typed = (event: Event) => {
    state.logKey = (event.target as HTMLTextAreaElement).value
    void check("log-key")
  }
  const isWrong = state.logKey.trim() !== "" && logKeys() === undefined
  return element(
    "details",
    { class: "card trust", ...(open && { open: true }) },
    element("summary", {}, words.trust),
    element("p", { class: "muted" }, words.trustLead),
    element("p", { class: "label" }, words.roots),
    picking("roots", words.pickRoots, "pick quiet", takeRoots),
    element("ul", { class: "names" }, ...state.roots.map(({ name }) => element("li", {}, name))),
    state.rootsProblem === "" ? null : element("p", { class: "problem", role: "alert" }, state.rootsProblem),
    element("label", { class: "label", for: "log-key" }, words.logKey),
    element(
      "textarea",
      { id: "log-key", rows: "2", spellcheck: "false", "aria-describedby": "log-key-hint", change: typed },
      state.logKey,
    ),
    element("p", { class: "muted", id: "log-key-hint" }, words.logKeyHint),
    isWrong ? element("p", { class: "problem", role: "alert" }, words.logKeyWrong) : null,
  )
}

function outcome(): Node {
  const words = pageWords(state.language)
  if (state.hasFailed)
    return element("p", { class: "headline unsure", id: "headline", tabindex: "-1" }, words.failed)
  return state.verified === null ? document.createTextNode("") : showResult(state.verified, state.language)
}

async function take(files: Iterable<File>): Promise<void> {
  const read = await Promise.all([...files].map(readFile))
  const names = new Set(read.map(({ name }) => name))
  state.files = [...state.files.filter(({ name }) => !names.has(name)), ...read]
  if (read.length > 0) await check("headline")
}

/** One that is too large is not read: it is refused by its size. */
async function readFile(file: File): Promise<GivenFile> {
  if (file.size > MAX_FILE_BYTES) return { name: file.name, bytes: new Uint8Array(), size: file.size }
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
}

async function takeRoots(files: Iterable<File>): Promise<void> {
  const words = pageWords(state.language)
  state.rootsProblem = ""
  for (const file of files) {
    try {
      const certificates = trustedCertificates(await readFile(file))
      state.roots = [
        ...state.roots.filter(({ name }) => name !== file.name),
        { name: file.name, certificates },
      ]
    } catch (error) {
      if (!(error instanceof TrustNotUnderstood)) throw error
      state.rootsProblem = fill(words.rootsWrong, { name: file.name })
    }
  }
  await check("roots")
}

/** Nothing where what was typed is no key. */
function logKeys() {
  try {
    return state.logKey.trim() === "" ? [] : trustedLogKeys(state.logKey)
  } catch (error) {
    if (error instanceof TrustNotUnderstood) return undefined
    throw error
  }
}

async function check(focus: string): Promise<void> {
  state.asked += 1
  const { asked, files } = state
  Object.assign(state, { verified: null, hasFailed: false, isWorking: files.length > 0 })
  show(focus)
  if (files.length === 0) return
  // What it says while it works is seen, and only then the work begins.
  await new Promise((wake) => setTimeout(wake, 30))
  const trusted = state.roots.flatMap(({ certificates }) => certificates)
  try {
    const verified = await verifyHere({ files, trusted, logKeys: logKeys() ?? [], now: new Date() })
    if (asked === state.asked) Object.assign(state, { verified, isWorking: false })
  } catch {
    if (asked === state.asked) Object.assign(state, { hasFailed: true, isWorking: false })
  }
  if (asked === state.asked) show(focus)
}

show()
