import { useLingui } from "@lingui/react"
import { useQueries } from "@tanstack/react-query"
import { useId, useState } from "react"
import { oneDocument } from "../../api/requests.ts"
import type { Document } from "../../api/types.ts"
import { Loading, Wrong } from "../../parts/notice.tsx"
import type { Box } from "../send/draft.ts"
import { PersonPicker } from "../send/person-picker.tsx"
import { type Placed, PlacePages } from "../send/place-pages.tsx"
import type { Editing, Place } from "./template-model.ts"

type PlacesPartProps = { readonly editing: Editing; readonly onChange: (editing: Editing) => void }

/** The documents that stay with the template, and where each signer signs in them. */
export function PlacesPart({ editing, onChange }: PlacesPartProps) {
  const { i18n } = useLingui()
  const documents = useQueries({ queries: editing.documentIds.map(oneDocument) })
  const id = useId()
  const [at, setAt] = useState(0)
  const shown = documents[at]
  return (
    <section aria-labelledby={id} className="mt-3 min-w-0">
      <h2 id={id} className="display mb-3 text-lg">
        {i18n._("Where they sign")}
      </h2>
      {documents.length > 1 && (
        <label className="mb-4 block max-w-md">
          <span className="mb-1 block text-sm font-semibold">{i18n._("Document")}</span>
          <select className="field" value={at} onChange={({ target }) => setAt(Number(target.value))}>
            {documents.map(({ data }, index) => (
              <option key={editing.documentIds[index]} value={index}>
                {data?.title ?? i18n._("Document {number}", { number: index + 1 })}
              </option>
            ))}
          </select>
        </label>
      )}
      <Wrong error={shown?.error} />
      {shown?.isPending && <Loading />}
      {shown?.data && editing.signers.length === 0 && (
        <p className="text-(--muted)">{i18n._("There is nobody to sign yet")}</p>
      )}
      {shown?.data && editing.signers.length > 0 && (
        <Places key={at} document={shown.data} at={at} editing={editing} onChange={onChange} />
      )}
    </section>
  )
}

type PlacesProps = PlacesPartProps & { readonly document: Document; readonly at: number }

function Places({ document, at, editing, onChange }: PlacesProps) {
  const { i18n } = useLingui()
  const [chosen, setChosen] = useState(0)
  const { signers } = editing
  const current = Math.min(chosen, signers.length - 1)
  const called = signers.map(
    ({ label }, index) => label.trim() || i18n._("Signer {number}", { number: index + 1 }),
  )
  const here = signers.map(({ places }) => places.filter((place) => place.document === at))
  const placed: readonly Placed[] = here.flatMap((boxes, person) =>
    boxes.map((box, index) => ({ box, person, index, called: called[person] ?? "" })),
  )
  const change = (person: number, by: (boxes: readonly Place[]) => readonly Place[]) =>
    onChange({
      ...editing,
      signers: signers.map((signer, index) =>
        index === person
          ? {
              ...signer,
              places: [...signer.places.filter((place) => place.document !== at), ...by(here[person] ?? [])],
            }
          : signer,
      ),
    })
  const within = (box: Box): Place => ({ ...box, document: at })
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <PersonPicker
        called={called}
        marks={here.map((boxes) => ({ formField: null, boxes }))}
        current={current}
        onChoose={setChosen}
        fields={[]}
        onFormField={() => undefined}
      />
      <PlacePages
        document={document}
        placed={placed}
        current={{ person: current, called: called[current] ?? "" }}
        onPlace={(box) => change(current, (boxes) => [...boxes, within(box)])}
        onChange={({ person, index }, box) => change(person, (boxes) => boxes.with(index, within(box)))}
        onRemove={({ person, index }) => change(person, (boxes) => boxes.filter((_, each) => each !== index))}
      />
    </div>
  )
}
