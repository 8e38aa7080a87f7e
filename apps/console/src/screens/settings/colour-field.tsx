import { useLingui } from "@lingui/react"
import { Check, TriangleAlert } from "lucide-react"
import { useId } from "react"
import { Button } from "../../parts/button.tsx"
import { contrastWithWhite, isColour, READABLE, readableFrom } from "./contrast.ts"

/** What pages have without a colour of the business; apps/signing/src/app.css. */
export const HOUSE_COLOUR = "#1d3a86"

const SUGGESTED = [HOUSE_COLOUR, "#0f5c5c", "#1f6b3f", "#6b2c8a", "#a3261f", "#8a4b08", "#33363d"] as const

type ColourFieldProps = {
  readonly colour: string | null
  readonly onChange: (colour: string | null) => void
  readonly mayChange: boolean
}

/** A colour that white can be read on: others are not taken, and a darker one is offered. */
export function ColourField({ colour, onChange, mayChange }: ColourFieldProps) {
  const { i18n } = useLingui()
  const id = useId()
  const shown = colour !== null && isColour(colour) ? colour : HOUSE_COLOUR
  const typed = (text: string) => {
    const tidy = text.trim().toLowerCase()
    onChange(tidy === "" ? null : tidy.startsWith("#") ? tidy : `#${tidy}`)
  }
  return (
    <fieldset aria-describedby={`${id}-verdict`} className="min-w-0">
      <legend className="mb-1 text-sm font-semibold">{i18n._("Colour")}</legend>
      <p className="mb-2 text-sm text-(--muted)">{i18n._("For buttons and links on the signing pages.")}</p>
      <div className="flex flex-wrap items-center gap-2">
        <input
          type="color"
          aria-label={i18n._("Pick a colour")}
          className="h-11 w-14 shrink-0 cursor-pointer rounded-lg border-[1.5px] border-(--edge) bg-(--sheet) p-1"
          value={shown}
          onChange={({ target }) => typed(target.value)}
        />
        <input
          aria-label={i18n._("Colour as #rrggbb")}
          className="field !w-32 font-mono"
          maxLength={7}
          placeholder={HOUSE_COLOUR}
          spellCheck={false}
          value={colour ?? ""}
          {...(colour !== null && !isColour(colour) && { "aria-invalid": true })}
          onChange={({ target }) => typed(target.value)}
        />
        {mayChange && colour !== null && (
          <Button look="bare" onClick={() => onChange(null)}>
            {i18n._("Remove the colour")}
          </Button>
        )}
      </div>
      {mayChange && <Suggestions colour={colour} onChange={onChange} />}
      <div id={`${id}-verdict`} role="status" className="mt-2 text-sm">
        <Verdict colour={colour} onChange={onChange} />
      </div>
    </fieldset>
  )
}

function Suggestions({ colour, onChange }: Omit<ColourFieldProps, "mayChange">) {
  const { i18n } = useLingui()
  return (
    <ul aria-label={i18n._("Suggestions")} className="mt-3 flex flex-wrap">
      {SUGGESTED.map((each) => (
        <li key={each}>
          <button
            type="button"
            aria-label={each}
            aria-pressed={colour === each}
            className="group grid size-11 place-items-center"
            onClick={() => onChange(each)}
          >
            <span
              className="grid size-8 place-items-center rounded-full text-white ring-offset-2 ring-offset-(--sheet) group-hover:ring-2 group-hover:ring-(--edge) group-aria-pressed:ring-2 group-aria-pressed:ring-(--ink)"
              style={{ background: each }}
            >
              {colour === each && <Check aria-hidden="true" size={16} strokeWidth={3} />}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function Verdict({ colour, onChange }: Omit<ColourFieldProps, "mayChange">) {
  const { i18n } = useLingui()
  if (colour === null) return null
  if (!isColour(colour))
    return <p className="font-semibold text-(--danger)">{i18n._("Please type a colour such as #1d3a86.")}</p>
  const ratio = new Intl.NumberFormat(i18n.locale, { maximumFractionDigits: 1 }).format(
    contrastWithWhite(colour),
  )
  if (contrastWithWhite(colour) >= READABLE)
    return (
      <p className="flex items-center gap-1.5 text-(--good)">
        <Check aria-hidden="true" size={16} className="shrink-0" />
        {i18n._("Good: white text is easy to read on it (contrast {ratio} : 1).", { ratio })}
      </p>
    )
  const darker = readableFrom(colour)
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <p className="flex items-center gap-1.5 font-semibold text-(--danger)">
        <TriangleAlert aria-hidden="true" size={16} className="shrink-0" />
        {i18n._("Too light for white text: the contrast is {ratio} : 1, and 4.5 : 1 is needed.", { ratio })}
      </p>
      <Button look="bare" onClick={() => onChange(darker)}>
        <span aria-hidden="true" className="size-4 rounded" style={{ background: darker }} />
        {i18n._("Use {colour} instead", { colour: darker })}
      </Button>
    </div>
  )
}
