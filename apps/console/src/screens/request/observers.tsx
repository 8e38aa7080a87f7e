import { useLingui } from "@lingui/react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { X } from "lucide-react"
import { type FormEvent, useState } from "react"
import { api, must } from "../../api/client.ts"
import type { Observer, SignatureRequest } from "../../api/types.ts"
import { Button } from "../../parts/button.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { Section } from "../../parts/section.tsx"
import { isAddress } from "../../parts/signer-entry.ts"

type ObserversProps = { readonly request: SignatureRequest; readonly mayChange: boolean }

/** Who reads along without signing. */
export function Observers({ request: { id }, mayChange }: ObserversProps) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const queryKey = ["request", id, "observers"]
  const list = useQuery({
    queryKey,
    queryFn: async () =>
      must(await api.GET("/signature-requests/{id}/observers", { params: { path: { id } } })),
  })
  const onSuccess = () => client.invalidateQueries({ queryKey })
  const add = useMutation({
    mutationFn: async (email: string) =>
      must(
        await api.POST("/signature-requests/{id}/observers", {
          params: { path: { id } },
          body: { type: "USER", email },
        }),
      ),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: async (observer_id: string) =>
      must(
        await api.DELETE("/signature-requests/{id}/observers/{observer_id}", {
          params: { path: { id, observer_id } },
        }),
      ),
    onSuccess,
  })
  return (
    <Section title={i18n._("Observers")}>
      <p className="-mt-2 mb-3 text-sm text-(--muted)">
        {i18n._("They can follow the request, and are told how it ends.")}
      </p>
      <ul>
        {list.data?.map((observer) => (
          <li key={observer.id} className="flex items-center justify-between gap-2">
            <span className="min-w-0">{called(observer)}</span>
            {mayChange && (
              <Button
                look="icon"
                aria-label={i18n._("Remove {who}", { who: called(observer) })}
                onClick={() => remove.mutate(observer.id)}
              >
                <X aria-hidden="true" size={18} />
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Wrong error={add.error ?? remove.error} />
      {mayChange && <AddObserver onAdd={(email) => add.mutate(email)} />}
    </Section>
  )
}

const called = ({ user_info, group_info }: Observer): string => user_info?.email ?? group_info?.name ?? ""

function AddObserver({ onAdd }: { readonly onAdd: (email: string) => void }) {
  const { i18n } = useLingui()
  const [email, setEmail] = useState("")
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isAddress(email)) return
    onAdd(email.trim())
    setEmail("")
  }
  return (
    <form onSubmit={submit} noValidate className="mt-2 flex gap-2">
      <input
        type="email"
        aria-label={i18n._("E-mail address of an observer")}
        placeholder="ada@example.org"
        className="field min-w-0"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Button type="submit">{i18n._("Add")}</Button>
    </form>
  )
}
