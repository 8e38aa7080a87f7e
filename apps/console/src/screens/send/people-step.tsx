import { useLingui } from "@lingui/react"
import { UserPlus, Users } from "lucide-react"
import { Switch } from "radix-ui"
import { useId, useState } from "react"
import { useGroups } from "../../api/groups.ts"
import { whisper } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Menu, MenuItem } from "../../parts/menu.tsx"
import type { PersonData } from "../../parts/signer-entry.ts"
import { type Draft, type DraftPerson, newPerson, stepsIn } from "./draft.ts"
import { PersonCard } from "./person-card.tsx"
import type { Keeping } from "./use-draft.ts"

/** Who signs and in which order: moved by dragging, or by buttons. */
export function PeopleStep({ keeping: { draft, change } }: { readonly keeping: Keeping }) {
  const { i18n } = useLingui()
  const [dragged, setDragged] = useState<number | null>(null)
  const language = i18n.locale as PersonData["language"]
  const steps = stepsIn(draft)
  const replace = (people: readonly DraftPerson[]) => change((before) => ({ ...before, people }))
  const move = (from: number, to: number) => {
    if (to < 0 || to >= draft.people.length) return
    replace(moved(draft.people, from, to))
    whisper(i18n._("Now at place {place} of {count}.", { place: to + 1, count: draft.people.length }))
  }
  return (
    <div className="grid gap-4">
      <OrderSwitch draft={draft} change={change} />
      <ol className="grid gap-3">
        {draft.people.map((person, index) => (
          <PersonCard
            key={person.key}
            person={person}
            index={index}
            step={draft.isOrdered ? (steps[index] ?? 1) : null}
            isLast={index === draft.people.length - 1}
            isDragged={dragged === index}
            onChange={(now) => replace(draft.people.with(index, now))}
            onMove={(by) => move(index, index + by)}
            onRemove={() => replace(draft.people.filter((_, at) => at !== index))}
            onDrag={(at) => setDragged(at)}
            onDragOver={() => {
              if (dragged === null || dragged === index) return
              replace(moved(draft.people, dragged, index))
              setDragged(index)
            }}
          />
        ))}
      </ol>
      {draft.people.length === 0 && (
        <p className="text-(--muted)">
          {i18n._("You may also send it without signers, and add them later: the request waits for them.")}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          look={draft.people.length === 0 ? "main" : "quiet"}
          onClick={() => replace([...draft.people, newPerson(language)])}
        >
          <UserPlus aria-hidden="true" size={18} />
          {i18n._("Add a person")}
        </Button>
        <GroupMenu onChoose={(id) => replace([...draft.people, newPerson(language, id)])} />
      </div>
    </div>
  )
}

function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const rest = list.filter((_, index) => index !== from)
  const item = list[from]
  return item === undefined ? list : rest.toSpliced(to, 0, item)
}

type OrderSwitchProps = { readonly draft: Draft; readonly change: Keeping["change"] }

function OrderSwitch({ draft, change }: OrderSwitchProps) {
  const { i18n } = useLingui()
  const id = useId()
  return (
    <div className="card flex items-center gap-4 px-5 py-3">
      <label htmlFor={id} className="grow py-1">
        <span className="block font-semibold">{i18n._("They sign one after the other")}</span>
        <span className="block text-sm text-(--muted)">
          {draft.isOrdered
            ? i18n._("Each step begins when the one before it is done.")
            : i18n._("Everybody may sign at any time.")}
        </span>
      </label>
      <Switch.Root
        id={id}
        className="switch"
        checked={draft.isOrdered}
        onCheckedChange={(isOrdered) => change((before) => ({ ...before, isOrdered }))}
      >
        <Switch.Thumb className="switch-thumb" />
      </Switch.Root>
    </div>
  )
}

function GroupMenu({ onChoose }: { readonly onChoose: (id: string) => void }) {
  const { i18n } = useLingui()
  const { data: groups = [] } = useGroups()
  if (groups.length === 0) return null
  const trigger = (
    <button type="button" className="button button-quiet">
      <Users aria-hidden="true" size={18} />
      {i18n._("Add a group")}
    </button>
  )
  return (
    <Menu trigger={trigger} align="start">
      {groups.map(({ id, name, members }) => (
        <MenuItem key={id} onSelect={() => onChoose(id)}>
          <span className="grow">{name}</span>
          <span className="text-sm text-(--muted)">{members.length}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}
