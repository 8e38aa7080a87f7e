import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { oneDocument } from "../../api/requests.ts"
import type { Document, SignatureRequest } from "../../api/types.ts"
import { Loading, Nothing } from "../../parts/notice.tsx"
import { type Box, type Mark, NO_MARK } from "./draft.ts"
import { PersonPicker } from "./person-picker.tsx"
import { calledIn, useGroupNames } from "./person-words.ts"
import { type Placed, PlacePages } from "./place-pages.tsx"
import type { Keeping } from "./use-draft.ts"

type FieldsStepProps = { readonly request: SignatureRequest; readonly keeping: Keeping }

/** Where each person signs. Nobody has to be given a place: then they choose one themselves. */
export function FieldsStep({ request, keeping }: FieldsStepProps) {
  const { i18n } = useLingui()
  const { people } = keeping.draft
  const [documentId, setDocumentId] = useState(request.documents[0]?.id ?? "")
  const document = useQuery(oneDocument(documentId))
  if (people.length === 0)
    return (
      <Nothing title={i18n._("There is nobody to sign yet")}>
        <Link to="/send/$id" params={{ id: request.id }} search={{ step: "people" }} className="link">
          {i18n._("Add people first, or continue without")}
        </Link>
      </Nothing>
    )
  return (
    <>
      {request.documents.length > 1 && (
        <label className="mb-4 block max-w-md">
          <span className="mb-1 block text-sm font-semibold">{i18n._("Document")}</span>
          <select className="field" value={documentId} onChange={({ target }) => setDocumentId(target.value)}>
            {request.documents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {document.data ? <Places key={documentId} document={document.data} keeping={keeping} /> : <Loading />}
    </>
  )
}

type PlacesProps = { readonly document: Document; readonly keeping: Keeping }

function Places({ document, keeping: { draft, change } }: PlacesProps) {
  const { i18n } = useLingui()
  const [current, setCurrent] = useState(0)
  const groups = useGroupNames()
  const called = draft.people.map((person, index) => calledIn(i18n, person, index, groups))
  const at = Math.min(current, draft.people.length - 1)
  const marks = draft.people.map((person) => person.marks[document.id] ?? NO_MARK)
  const mark = (person: number, by: (mark: Mark) => Mark) =>
    change((before) => ({
      ...before,
      people: before.people.map((each, index) =>
        index === person
          ? { ...each, marks: { ...each.marks, [document.id]: by(each.marks[document.id] ?? NO_MARK) } }
          : each,
      ),
    }))
  const placed: readonly Placed[] = marks.flatMap(({ boxes }, person) =>
    boxes.map((box, index) => ({ box, person, index, called: called[person] ?? "" })),
  )
  const place = (box: Box) => mark(at, ({ boxes }) => ({ formField: null, boxes: [...boxes, box] }))
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <PersonPicker
        called={called}
        marks={marks}
        current={at}
        onChoose={setCurrent}
        fields={document.signature_fields.filter(({ signed }) => !signed).map(({ name }) => name)}
        onFormField={(formField) => mark(at, () => ({ formField, boxes: [] }))}
      />
      <PlacePages
        document={document}
        placed={placed}
        current={{ person: at, called: called[at] ?? "" }}
        onPlace={place}
        onChange={({ person, index }, box) =>
          mark(person, ({ boxes }) => ({ formField: null, boxes: boxes.with(index, box) }))
        }
        onRemove={({ person, index }) =>
          mark(person, ({ boxes }) => ({ formField: null, boxes: boxes.filter((_, each) => each !== index) }))
        }
      />
    </div>
  )
}
