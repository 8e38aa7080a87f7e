import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { batchList } from "../../api/seals.ts"
import { Wrong } from "../../parts/notice.tsx"
import { Section } from "../../parts/section.tsx"
import { BatchRow } from "./batch-row.tsx"

/** What was sealed here and by the same person elsewhere, and how far it is. */
export function Batches() {
  const { i18n } = useLingui()
  const list = useQuery(batchList)
  if (list.data?.length === 0) return null
  return (
    <Section title={i18n._("Sealed before")}>
      <Wrong error={list.error} />
      <ul className="-mx-5 -mb-5 divide-y divide-(--line) border-t border-(--line)">
        {list.data?.map((batch) => (
          <BatchRow key={batch.id} batch={batch} />
        ))}
      </ul>
    </Section>
  )
}
