import { useLingui } from "@lingui/react"
import { RadioGroup } from "radix-ui"
import type { Mark } from "./draft.ts"
import { colourOf, DOT } from "./person-colours.ts"

type PersonPickerProps = {
  readonly called: readonly string[]
  readonly marks: readonly Mark[]
  readonly current: number
  readonly onChoose: (index: number) => void
  /** Signature fields that the PDF has already. */
  readonly fields: readonly string[]
  readonly onFormField: (name: string | null) => void
}

/** For whom the next field is. It stays in sight while the pages pass. */
export function PersonPicker({ called, marks, current, onChoose, fields, onFormField }: PersonPickerProps) {
  const { i18n } = useLingui()
  return (
    <div className="sticky top-0 z-20 -mx-4 grid min-w-0 gap-3 border-b border-(--line) bg-(--paper) px-4 py-2 sm:-mx-8 sm:px-8 lg:top-6 lg:mx-0 lg:border-0 lg:p-0">
      <RadioGroup.Root
        aria-label={i18n._("A field for")}
        value={String(current)}
        onValueChange={(value) => onChoose(Number(value))}
        className="flex min-w-0 gap-2 overflow-x-auto p-1 lg:grid"
      >
        {called.map((name, index) => (
          <RadioGroup.Item
            // biome-ignore lint/suspicious/noArrayIndexKey: a person is known by their place in the list
            key={index}
            value={String(index)}
            className="flex min-h-11 shrink-0 items-center gap-3 rounded-xl border-2 border-(--line) bg-(--sheet) px-3 py-2 text-left data-[state=checked]:border-(--accent)"
          >
            <span
              aria-hidden="true"
              className={`size-4 rounded ${DOT}`}
              style={{ background: colourOf(index) }}
            />
            <span className="min-w-0">
              <span className="block max-w-52 truncate font-semibold">{name}</span>
              <span className="block text-sm text-(--muted)">
                {marks[index]?.formField ??
                  (marks[index]?.boxes.length
                    ? i18n._("{count, plural, one {# field} other {# fields}}", {
                        count: marks[index].boxes.length,
                      })
                    : i18n._("chooses where"))}
              </span>
            </span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
      {fields.length > 0 && (
        <label className="block">
          <span className="mb-1 block text-sm font-semibold">{i18n._("Or a field of the PDF")}</span>
          <select
            className="field"
            value={marks[current]?.formField ?? ""}
            onChange={({ target }) => onFormField(target.value === "" ? null : target.value)}
          >
            <option value="">{i18n._("None")}</option>
            {fields.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <p className="hidden text-sm text-(--muted) lg:block">
        {i18n._("Press on the page where the signature goes, then drag it into place.")}
      </p>
    </div>
  )
}
