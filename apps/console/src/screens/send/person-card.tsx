import { useLingui } from "@lingui/react"
import { ArrowDown, ArrowUp, GripVertical, Trash2 } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { useGroups } from "../../api/groups.ts"
import { Button } from "../../parts/button.tsx"
import { PersonFields } from "../../parts/person-fields.tsx"
import type { DraftPerson } from "./draft.ts"
import { colourOf, DOT } from "./person-colours.ts"

type PersonCardProps = {
  readonly person: DraftPerson
  readonly index: number
  /** Null where there is no order. */
  readonly step: number | null
  readonly isLast: boolean
  readonly isDragged: boolean
  readonly onChange: (person: DraftPerson) => void
  readonly onMove: (by: -1 | 1) => void
  readonly onRemove: () => void
  readonly onDrag: (index: number | null) => void
  readonly onDragOver: () => void
}

export function PersonCard(props: PersonCardProps) {
  const { i18n } = useLingui()
  const { person, index, step, isDragged, onChange, onDragOver } = props
  const card = useRef<HTMLLIElement>(null)
  const [isLeft, setLeft] = useState(false)
  useEffect(() => {
    // A card that was just added is for typing into.
    if (person.email === "" && person.groupId === null) card.current?.querySelector("input")?.focus()
  }, [person.email, person.groupId])
  return (
    <li
      ref={card}
      className={`card p-4 sm:p-5 ${isDragged ? "opacity-60" : ""}`}
      onDragOver={(event) => {
        event.preventDefault()
        onDragOver()
      }}
      onBlur={({ currentTarget, relatedTarget }) =>
        !currentTarget.contains(relatedTarget) && setLeft(person.email !== "")
      }
    >
      <div className="mb-3 flex items-center gap-2">
        <Handle {...props} />
        <span
          aria-hidden="true"
          className={`size-3 rounded-full ${DOT}`}
          style={{ background: colourOf(index) }}
        />
        <h2 className="mr-auto font-semibold">
          {step === null
            ? i18n._("Person {number}", { number: index + 1 })
            : i18n._("Step {number}", { number: step })}
        </h2>
        <Moves {...props} />
      </div>
      {person.groupId === null ? (
        <PersonFields person={person} isTried={isLeft} onChange={(now) => onChange({ ...person, ...now })} />
      ) : (
        <GroupShown id={person.groupId} />
      )}
      {step !== null && index > 0 && (
        <label className="mt-3 flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            className="check"
            checked={person.isTogether}
            onChange={({ target }) => onChange({ ...person, isTogether: target.checked })}
          />
          {i18n._("At the same time as the person above")}
        </label>
      )}
    </li>
  )
}

/** For the mouse; the arrows beside it do the same for everybody. */
function Handle({ index, onDrag }: PersonCardProps) {
  return (
    <span
      draggable
      aria-hidden="true"
      className="-ml-2 hidden cursor-grab p-2 text-(--muted) sm:block"
      onDragStart={() => onDrag(index)}
      onDragEnd={() => onDrag(null)}
    >
      <GripVertical size={18} />
    </span>
  )
}

function Moves({ index, isLast, person, onMove, onRemove }: PersonCardProps) {
  const { i18n } = useLingui()
  const who = person.email || i18n._("Person {number}", { number: index + 1 })
  return (
    <>
      {index > 0 && (
        <Button look="icon" aria-label={i18n._("Move {who} up", { who })} onClick={() => onMove(-1)}>
          <ArrowUp aria-hidden="true" size={18} />
        </Button>
      )}
      {!isLast && (
        <Button look="icon" aria-label={i18n._("Move {who} down", { who })} onClick={() => onMove(1)}>
          <ArrowDown aria-hidden="true" size={18} />
        </Button>
      )}
      <Button look="icon" aria-label={i18n._("Remove {who}", { who })} onClick={onRemove}>
        <Trash2 aria-hidden="true" size={18} />
      </Button>
    </>
  )
}

function GroupShown({ id }: { readonly id: string }) {
  const { i18n } = useLingui()
  const { data: groups = [] } = useGroups()
  const group = groups.find((each) => each.id === id)
  return (
    <div>
      <p className="font-semibold">{group?.name ?? i18n._("Group")}</p>
      <p className="text-sm text-(--muted)">{group?.members.map(({ email }) => email).join(", ")}</p>
    </div>
  )
}
