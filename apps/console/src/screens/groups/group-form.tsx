import { useLingui } from "@lingui/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { Trash2, UserPlus } from "lucide-react"
import { type FormEvent, useLayoutEffect, useRef, useState } from "react"
import { groupActs } from "../../api/groups.ts"
import type { Group } from "../../api/types.ts"
import type { Language } from "../../language.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Labelled } from "../../parts/labelled.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { PersonFields } from "../../parts/person-fields.tsx"
import { areComplete, bodyOf, type Entry, entriesOf, newEntry } from "./entries.ts"

const MOST = 200

/** The name and the people of a group, new or as it is. */
export function GroupForm({ group }: { readonly group?: Group }) {
  const { i18n } = useLingui()
  const language = i18n.locale as Language
  const [name, setName] = useState(group?.name ?? "")
  const [entries, setEntries] = useState(() => (group ? entriesOf(group, language) : [newEntry(language)]))
  const [isTried, setTried] = useState(false)
  const save = useSave(group)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!save.isPending && areComplete(name, entries)) save.mutate(bodyOf(name, entries))
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <div className="card p-5">
        <Labelled
          label={i18n._("Name of the group")}
          error={isTried && name.trim() === "" ? i18n._("Please give it a name.") : null}
        >
          {(described) => (
            <input
              {...described}
              className="field max-w-xl"
              maxLength={1024}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Labelled>
      </div>
      <People entries={entries} onChange={setEntries} isTried={isTried} />
      <div>
        <Wrong error={save.error} />
        <Button type="submit" look="main" busy={save.isPending}>
          {group === undefined ? i18n._("Create the group") : i18n._("Save")}
        </Button>
      </div>
    </form>
  )
}

function useSave(group: Group | undefined) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (body: Parameters<typeof groupActs.create>[0]) =>
      group === undefined ? groupActs.create(body) : groupActs.change(group, body),
    onSuccess: async () => {
      announce(i18n._("The group was saved."))
      await client.invalidateQueries({ queryKey: ["groups"], exact: true })
      await navigate({ to: "/groups" })
    },
  })
}

type PeopleProps = {
  readonly entries: readonly Entry[]
  readonly onChange: (change: (before: readonly Entry[]) => readonly Entry[]) => void
  readonly isTried: boolean
}

function People({ entries, onChange, isTried }: PeopleProps) {
  const { i18n } = useLingui()
  const list = useRef<HTMLUListElement>(null)
  const isNew = useRef(false)
  // A new line is where one goes on typing.
  useLayoutEffect(() => {
    if (isNew.current && entries.length > 0)
      list.current?.querySelector<HTMLElement>(":scope > li:last-child input")?.focus()
    isNew.current = false
  }, [entries.length])
  const add = () => {
    isNew.current = true
    onChange((before) => [...before, newEntry(i18n.locale as Language)])
  }
  return (
    <fieldset>
      <legend className="display mb-3 text-lg">{i18n._("People")}</legend>
      <ul ref={list} className="grid gap-3">
        {entries.map((entry, index) => (
          <li key={entry.key} className="card grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 p-4">
            <PersonFields
              person={entry}
              isTried={isTried}
              onChange={(person) =>
                onChange((before) =>
                  before.map((each) => (each.key === entry.key ? { ...each, ...person } : each)),
                )
              }
            />
            <Button
              look="icon"
              className="mt-6"
              aria-label={i18n._("Remove {who}", {
                who: entry.email || i18n._("person {number}", { number: index + 1 }),
              })}
              onClick={() => onChange((before) => before.filter(({ key }) => key !== entry.key))}
            >
              <Trash2 aria-hidden="true" size={18} />
            </Button>
          </li>
        ))}
      </ul>
      {isTried && entries.length === 0 && (
        <p role="alert" className="mb-2 font-semibold text-(--danger)">
          {i18n._("A group needs at least one person.")}
        </p>
      )}
      {entries.length < MOST && (
        <Button className="mt-3" onClick={add}>
          <UserPlus aria-hidden="true" size={18} />
          {i18n._("Add a person")}
        </Button>
      )}
    </fieldset>
  )
}
