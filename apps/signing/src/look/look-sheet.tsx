import { type FormEvent, type KeyboardEvent, useRef, useState } from "react"
import type { Font, Look } from "../api.ts"
import type { Draft, Field } from "../draft.ts"
import { LookPicture } from "../parts/look-picture.tsx"
import { NameField } from "../sheets/name-field.tsx"
import { closeSheetAround, Sheet } from "../sheets/sheet.tsx"
import { say } from "../words.ts"
import { DrawTab } from "./draw-tab.tsx"
import type { Ink } from "./ink.ts"
import { lookOf } from "./ink.ts"
import "./fonts.css"
import { UploadTab } from "./upload-tab.tsx"

type LookSheetProps = {
  readonly draft: Draft
  readonly field: Field
  readonly onUse: (look: Look, all: boolean) => void
  readonly onClose: () => void
}

const TABS = ["type", "draw", "upload"] as const
type Tab = (typeof TABS)[number]
export const FONTS: readonly Font[] = ["caveat", "dancing-script", "allura"]

/** Typing comes first: it needs no steady hand, no canvas and no camera. */
export function LookSheet({ draft, field, onUse, onClose }: LookSheetProps) {
  const before = draft.look
  const [tab, setTab] = useState<Tab>(
    before?.type === "drawn" ? "draw" : before?.type === "picture" ? "upload" : "type",
  )
  const [font, setFont] = useState<Font>(before?.type === "typed" ? before.font : "caveat")
  const [ink, setInk] = useState<Ink | null>(null)
  const [picture, setPicture] = useState<Look | null>(before?.type === "picture" ? before : null)
  const [all, setAll] = useState(true)
  const [trouble, setTrouble] = useState<"name" | "ink" | "picture" | null>(null)
  const nameField = useRef<HTMLInputElement>(null)
  const drawn = ink === null ? (before?.type === "drawn" ? before : null) : lookOf(ink)
  const look: Look | null = tab === "type" ? { type: "typed", font } : tab === "draw" ? drawn : picture

  function submit(event: FormEvent) {
    event.preventDefault()
    const nameless = draft.name.trim() === ""
    setTrouble(
      tab === "type" && nameless ? "name" : look === null ? (tab === "draw" ? "ink" : "picture") : null,
    )
    if (tab === "type" && nameless) nameField.current?.focus()
    else if (look !== null) onUse(look, all)
  }

  return (
    <Sheet heading={say("look.heading")} locked={false} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Tabs tab={tab} onTab={setTab} />
        <div role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} className="pt-4">
          {tab === "type" && (
            <>
              <NameField
                name={draft.name}
                missing={trouble === "name"}
                fixed={draft.isNameFixed}
                hint={draft.nameHint}
                field={nameField}
                onName={(name) => {
                  draft.setName(name)
                  setTrouble(null)
                }}
              />
              <Handwritings name={draft.name} font={font} onFont={setFont} />
            </>
          )}
          {tab === "draw" && <DrawTab ink={ink} missing={trouble === "ink"} onInk={setInk} />}
          {tab === "upload" && <UploadTab missing={trouble === "picture"} onPicture={setPicture} />}
        </div>
        {/* While one draws it stays where it is, empty or not: the paper must not move under the pen. */}
        {(tab !== "upload" || look !== null) && <Preview look={look} name={draft.name} field={field} />}
        {draft.fields.length > 1 && (
          <label className="choice mt-2">
            <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} />
            {say("look.all", { count: draft.fields.length })}
          </label>
        )}
        <div className="mt-4 grid gap-3 sm:grid-cols-2">
          <button type="submit" className="button button-main sm:order-2">
            {say("look.use")}
          </button>
          <button
            type="button"
            className="button button-quiet"
            onClick={(event) => closeSheetAround(event.currentTarget)}
          >
            {say("back")}
          </button>
        </div>
      </form>
    </Sheet>
  )
}

function Tabs({ tab, onTab }: { readonly tab: Tab; readonly onTab: (tab: Tab) => void }) {
  function turn(event: KeyboardEvent<HTMLButtonElement>) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = step === undefined ? undefined : TABS.at((TABS.indexOf(tab) + step) % TABS.length)
    if (next === undefined) return
    event.preventDefault()
    onTab(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <div role="tablist" aria-label={say("look.ways")} className="tabs">
      {TABS.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-selected={name === tab}
          aria-controls={name === tab ? `panel-${name}` : undefined}
          tabIndex={name === tab ? 0 : -1}
          className="tab"
          onClick={() => onTab(name)}
          onKeyDown={turn}
        >
          {say(`look.${name}`)}
        </button>
      ))}
    </div>
  )
}

type HandwritingsProps = {
  readonly name: string
  readonly font: Font
  readonly onFont: (font: Font) => void
}

function Handwritings({ name, font, onFont }: HandwritingsProps) {
  return (
    <fieldset className="mt-3 min-w-0">
      <legend className="font-semibold">{say("look.handwriting")}</legend>
      <div className="hands mt-1">
        {FONTS.map((hand, place) => (
          <label key={hand} className="hand">
            <input
              type="radio"
              name="hand"
              aria-label={`${say("look.handwriting")} ${place + 1}`}
              checked={hand === font}
              onChange={() => onFont(hand)}
            />
            <span aria-hidden="true" className={`hand-name hand-${hand}`}>
              {name.trim() === "" ? say("look.yours") : name}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type PreviewProps = { readonly look: Look | null; readonly name: string; readonly field: Field }

/** On paper, in the proportions of the field. */
function Preview({ look, name, field: { position } }: PreviewProps) {
  const proportions = { aspectRatio: `${position.width} / ${position.height}` }
  return (
    <figure className="mt-3">
      <figcaption className="text-sm text-(--muted)">{say("look.preview")}</figcaption>
      <div className="paper preview mt-1" style={proportions}>
        {look !== null && <LookPicture look={look} name={name} />}
      </div>
    </figure>
  )
}
