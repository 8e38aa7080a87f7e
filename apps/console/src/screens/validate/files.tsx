import { useLingui } from "@lingui/react"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Download, Trash2 } from "lucide-react"
import {
  creditInfos,
  deleteValidation,
  type ReportKind,
  saveAnswer,
  saveReport,
  writesPdfReports,
} from "../../api/validation.ts"
import type { Language } from "../../language.ts"
import { announce } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"
import { Wrong } from "../../parts/notice.tsx"
import { sayClock } from "../../parts/said.ts"
import { Section } from "../../parts/section.tsx"
import { sayGone } from "./refused.ts"
import type { Done } from "./use-validation.ts"

type FilesProps = Done & { readonly onGone: () => void }

/** What can be kept of it, and how to make us forget it. */
export function Files({ file, answer, until, onGone }: FilesProps) {
  const { i18n } = useLingui()
  const { data: infos } = useQuery(creditInfos)
  const name = i18n._("{document} – validation", { document: file.name.replace(/\.pdf$/i, "") })
  const save = useMutation({
    mutationFn: (kind: ReportKind) => saveReport(answer.id, kind, i18n.locale as Language, name),
  })
  const remove = useMutation({
    mutationFn: () => deleteValidation(answer.id),
    onSuccess: () => {
      onGone()
      announce(i18n._("The result is deleted."))
    },
  })
  const report = (kind: ReportKind, words: string) => (
    <Button busy={save.isPending && save.variables === kind} onClick={() => save.mutate(kind)}>
      <Download aria-hidden="true" size={18} />
      {words}
    </Button>
  )
  const error = save.error ?? remove.error
  return (
    <Section title={i18n._("Keep the result")}>
      <p className="mb-4 max-w-2xl text-(--muted)">
        {i18n._(
          "The document is no longer with us. The result is deleted at {time}; save what you need before.",
          {
            time: sayClock(i18n, until),
          },
        )}
      </p>
      <Wrong error={error === null ? null : sayGone(i18n, error)} />
      <div className="flex flex-wrap gap-3">
        {infos && writesPdfReports(infos) && report("pdf", i18n._("Report to read (PDF)"))}
        {report("etsi", i18n._("Report for programs (ETSI, XML)"))}
        <Button onClick={() => saveAnswer(answer, name)}>
          <Download aria-hidden="true" size={18} />
          {i18n._("Answer for programs (JSON)")}
        </Button>
      </div>
      <Button look="bare" className="mt-4 -ml-3" busy={remove.isPending} onClick={() => remove.mutate()}>
        <Trash2 aria-hidden="true" size={18} />
        {i18n._("Delete the result now")}
      </Button>
    </Section>
  )
}
