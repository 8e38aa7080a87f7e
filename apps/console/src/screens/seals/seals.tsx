import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { sealList } from "../../api/seals.ts"
import { ownSettings } from "../../api/settings.ts"
import { Loading, Nothing, Wrong } from "../../parts/notice.tsx"
import { ScreenTitle } from "../../parts/screen-title.tsx"
import { Section } from "../../parts/section.tsx"
import { managesBusiness } from "../../session/roles.ts"
import { useSession } from "../../session/session.tsx"
import { Batches } from "./batches.tsx"
import { SealDocuments } from "./seal-documents.tsx"
import { SealRow } from "./seal-row.tsx"

/** The company's own signature: which seals there are, what they show, and documents that are sealed with them. */
export function Seals() {
  const { i18n } = useLingui()
  const settings = useQuery(ownSettings)
  const isOn = settings.data?.features.includes("sealing")
  return (
    <>
      <ScreenTitle title={i18n._("Seals")} />
      <p className="-mt-2 mb-5 max-w-2xl text-(--muted)">
        {i18n._(
          "A seal is the signature of your company: it shows where a document comes from, and that nobody has changed it.",
        )}
      </p>
      <Wrong error={settings.error} />
      {settings.isPending && <Loading />}
      {isOn === false && (
        <Nothing title={i18n._("Sealing is not switched on")}>
          {i18n._("Whoever runs this service switches it on for your business.")}
        </Nothing>
      )}
      {isOn === true && <Sealing />}
    </>
  )
}

function Sealing() {
  const { i18n } = useLingui()
  const { membership, kind } = useSession()
  const list = useQuery(sealList)
  const manages = managesBusiness(membership.role)
  const isTest = kind === "demo"
  const canSeal = isTest || list.data?.some(({ status }) => status === "ACTIVE") === true
  return (
    <div className="grid gap-5">
      <Section title={isTest ? i18n._("Seals for tests") : i18n._("Your seals")}>
        <Wrong error={list.error} />
        {list.isPending && <Loading />}
        {list.data?.length === 0 && (
          <p className="text-(--muted)">
            {isTest
              ? i18n._("A seal to test with is made when you seal your first document.")
              : i18n._("There is no seal yet. Whoever runs this service makes one for your company.")}
          </p>
        )}
        {list.data !== undefined && list.data.length > 0 && (
          <ul className="-mx-5 -mb-5 divide-y divide-(--line) border-t border-(--line)">
            {list.data.map((seal) => (
              <SealRow key={seal.id} seal={seal} mayChange={manages} />
            ))}
          </ul>
        )}
      </Section>
      {canSeal && (manages || isTest) && <SealDocuments seals={list.data ?? []} />}
      {canSeal && !manages && !isTest && (
        <p className="text-(--muted)">
          {i18n._("Owners and administrators seal documents here; programs do it with an API key.")}
        </p>
      )}
      <Batches />
    </div>
  )
}
