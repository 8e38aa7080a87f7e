import { useEffect, useState } from "react"
import {
  type Hint,
  type Look,
  loadHints,
  type Position,
  type SigningDocument,
  type View,
  type Wish,
} from "./api.ts"

/** A place where this person's signature will be seen. Documents count by their place in the list: their ids change
 * when somebody else signs in the meantime. */
export type Field = {
  readonly key: string
  readonly document: number
  readonly position: Position
}

/** What a person has chosen before the last button. It lives in this window only; the server learns it with the press. */
export type Draft = {
  readonly name: string
  /** It was established before, and is not to be typed. */
  readonly isNameFixed: boolean
  /** The id of what is said about it. */
  readonly nameHint: string
  /** At which the person has a certificate; null: they confirm here. */
  readonly provider: string | null
  readonly look: Look | null
  readonly fields: readonly Field[]
  readonly isReady: (field: Field) => boolean
  readonly isOpened: (document: number) => boolean
  readonly openedCount: number
  readonly placeOf: (document: number) => Position | null
  readonly hintsOf: (document: number) => readonly Hint[]
  readonly setName: (name: string) => void
  readonly setProvider: (provider: string | null) => void
  readonly takeLook: (look: Look, fields: readonly Field[]) => void
  readonly makeReady: (field: Field) => void
  readonly open: (document: number) => void
  readonly setPlace: (document: number, position: Position | null) => void
  readonly wish: () => Wish
}

export function useDraft(view: View): Draft {
  const { documents } = view
  const [typed, setName] = useState(view.signer.name ?? "")
  // Of the account, of the evidence, or as the sender stated it.
  const established =
    view.factor?.name ?? (view.identification?.status === "ACCEPTED" ? view.signer.name : null)
  const name = established ?? typed
  const [provider, setProvider] = useState(usualProvider(view))
  const [look, setLook] = useState<Look | null>(null)
  const [ready, setReady] = useState<readonly string[]>([])
  const [opened, setOpened] = useState<readonly number[]>([0])
  const [places, setPlaces] = useState<Readonly<Record<number, Position | null>>>({})

  const hintsOf = useHints(documents, opened)
  const placeOf = (document: number): Position | null => {
    const chosen = places[document]
    return chosen === undefined ? suggested(hintsOf(document)) : chosen
  }
  const fields = documents.flatMap((document, index) => fieldsOf(document, index, placeOf(index)))
  return {
    name,
    isNameFixed: established !== null || (view.factor !== null && provider === null),
    nameHint: provider === null ? hintOf(view, established !== null) : "provider.name-hint",
    provider,
    setProvider,
    look,
    fields,
    placeOf,
    hintsOf,
    setName,
    isReady: ({ key }) => look !== null && ready.includes(key),
    isOpened: (document) => opened.includes(document),
    openedCount: opened.length,
    takeLook: (chosen, forFields) => {
      setLook(chosen)
      setReady((before) => [...new Set([...before, ...forFields.map(({ key }) => key)])])
    },
    makeReady: ({ key }) => setReady((before) => [...before, key]),
    open: (document) => setOpened((before) => (before.includes(document) ? before : [...before, document])),
    setPlace: (document, position) => setPlaces((before) => ({ ...before, [document]: position })),
    wish: () => ({
      name: name.trim(),
      provider,
      look: fields.length === 0 ? null : look,
      places: documents.flatMap(({ id, place }, index) =>
        place.type === "free" ? { documentId: id, position: placeOf(index) } : [],
      ),
    }),
  }
}

/** A qualified certificate where nothing else will do, or nothing else is at hand. */
function usualProvider({ atProvider, factor }: View): string | null {
  const [first] = atProvider?.providers ?? []
  const isWanted = atProvider?.required === true || factor?.kinds.length === 0
  return isWanted && first !== undefined ? first.name : null
}

function hintOf({ factor }: View, isEstablished: boolean): string {
  if (factor !== null) return "confirm.name-fixed"
  return isEstablished ? "identify.name-hint" : "confirm.name-hint"
}

/** Of the documents that were opened, what their words hint at; of the others, what the server knows already. */
function useHints(documents: View["documents"], opened: readonly number[]) {
  const [loaded, setLoaded] = useState<Readonly<Record<number, readonly Hint[]>>>({})
  const newest = opened.at(-1) ?? 0
  const document = documents[newest]
  const id = document?.place.type === "free" ? document.id : null
  useEffect(() => {
    if (id === null) return
    loadHints(id).then(
      (hints) => setLoaded((before) => ({ [newest]: hints, ...before })),
      () => undefined,
    )
  }, [id, newest])
  return (number: number): readonly Hint[] => {
    const place = documents[number]?.place
    return place?.type === "free" ? (loaded[number] ?? place.hints) : []
  }
}

/** VIS-06: where the PDF itself hints at is where the signature is put, until the person moves or removes it. */
function suggested([hint]: readonly Hint[]): Position | null {
  if (hint === undefined) return null
  const { page, x, y, width, height } = hint
  return { page, x, y, width, height }
}

function fieldsOf(document: SigningDocument, index: number, chosen: Position | null): readonly Field[] {
  const positions =
    document.place.type === "fixed" ? document.place.positions : chosen === null ? [] : [chosen]
  return positions
    .map((position, place) => ({ key: `${index}-${place}`, document: index, position }))
    .toSorted((a, b) => a.position.page - b.position.page || b.position.y - a.position.y)
}
