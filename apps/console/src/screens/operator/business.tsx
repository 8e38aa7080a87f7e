import { useLingui } from "@lingui/react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { ArrowLeft } from "lucide-react"
import { useState } from "react"
import { type BusinessAnswer, oneBusiness, operatorActs } from "../../api/operator.ts"
import { announce } from "../../parts/announce.tsx"
import { Avatar } from "../../parts/avatar.tsx"
import { Loading, Wrong } from "../../parts/notice.tsx"
import { sayTime } from "../../parts/said.ts"
import { Section } from "../../parts/section.tsx"
import { sayRole } from "../../session/roles.ts"
import { FEATURES, sayFeature } from "../settings/features.ts"
import { Form } from "../settings/form.tsx"
import { Credits } from "./credits.tsx"
import { Keys } from "./keys.tsx"
import { SenderName } from "./sender-name.tsx"

const route = getRouteApi("/operator/businesses/$id")

export function Business() {
  const { i18n } = useLingui()
  const { id } = route.useParams()
  const found = useQuery(oneBusiness(id))
  return (
    <>
      <Link to="/operator/businesses" className="button button-bare -ml-3 mb-1">
        <ArrowLeft aria-hidden="true" size={18} />
        {i18n._("All businesses")}
      </Link>
      <Wrong error={found.error} />
      {found.isPending && <Loading />}
      {found.data && <Shown business={found.data} />}
    </>
  )
}

function Shown({ business }: { readonly business: BusinessAnswer }) {
  const { i18n } = useLingui()
  const { id, name, created_at, requests30d: requests, retention_days: days } = business
  const { pending_sender_name: pending } = business
  return (
    <>
      <h2 className="display mb-1 text-xl">{name}</h2>
      <p className="mb-5 text-sm text-(--muted)">
        {[
          i18n._("since {time}", { time: sayTime(i18n, created_at) }),
          i18n._("{requests, plural, one {# request in 30 days} other {# requests in 30 days}}", {
            requests,
          }),
          days === null
            ? i18n._("kept until deleted")
            : i18n._("kept for {days, plural, one {# day} other {# days}}", { days }),
        ].join(" · ")}
        <br />
        <code className="text-xs">{id}</code>
      </p>
      <div className="grid grid-cols-1 gap-5">
        {pending !== null && <SenderName id={id} business={name} name={pending} />}
        <Keys business={business} />
        <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
          <div className="grid grid-cols-1 gap-5">
            <Features business={business} />
            <Credits business={business} />
          </div>
          <Members members={business.members} />
        </div>
      </div>
    </>
  )
}

function Features({ business }: { readonly business: BusinessAnswer }) {
  const { i18n } = useLingui()
  const client = useQueryClient()
  const [features, setFeatures] = useState(business.features)
  const save = useMutation({
    mutationFn: () => operatorActs.setFeatures(business.id, features),
    onSuccess: async () => {
      announce(i18n._("Saved."))
      await client.invalidateQueries({ queryKey: ["operator"] })
    },
  })
  const toggle = (feature: string, is: boolean) =>
    setFeatures(is ? [...features, feature] : features.filter((each) => each !== feature))
  const isChanged = features.toSorted().join() !== business.features.toSorted().join()
  return (
    <Form
      title={i18n._("Features")}
      isBusy={save.isPending}
      error={save.error}
      isChanged={isChanged}
      onSave={() => save.mutate()}
    >
      <div className="mt-2 grid">
        {FEATURES.map((feature) => (
          <label key={feature} className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              className="check"
              checked={features.includes(feature)}
              onChange={({ target }) => toggle(feature, target.checked)}
            />
            {sayFeature(i18n, feature)}
          </label>
        ))}
      </div>
    </Form>
  )
}

function Members({ members }: Pick<BusinessAnswer, "members">) {
  const { i18n } = useLingui()
  return (
    <Section title={i18n._("Members")}>
      {members.length === 0 && <p className="text-(--muted)">{i18n._("There are none.")}</p>}
      <ul className="divide-y divide-(--line)">
        {members.map(({ email, name, role }) => (
          <li key={email} className="flex items-center gap-3 py-2.5 first:pt-0 last:pb-0">
            <Avatar called={name} />
            <div className="min-w-0 grow">
              <p className="truncate font-semibold">{name}</p>
              <p className="truncate text-sm text-(--muted)">{email}</p>
            </div>
            <span className="text-sm">{sayRole(i18n, role)[0]}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
