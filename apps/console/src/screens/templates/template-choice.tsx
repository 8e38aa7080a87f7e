import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { LayoutTemplate } from "lucide-react"
import { useId, useState } from "react"
import { type Template, templateList } from "../../api/templates.ts"
import { UseSheet } from "./use-sheet.tsx"

const SHOWN = 6

/** Beside the empty beginning: what was prepared once already. */
export function TemplateChoice() {
  const { i18n } = useLingui()
  const id = useId()
  const { data: templates = [] } = useQuery(templateList)
  const [used, setUsed] = useState<Template | null>(null)
  if (templates.length === 0) return null
  return (
    <section aria-labelledby={id} className="mt-6">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4">
        <h2 id={id} className="display text-lg">
          {i18n._("Or begin with a template")}
        </h2>
        <Link to="/templates" className="button button-bare -mr-3">
          {i18n._("All templates")}
        </Link>
      </div>
      <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
        {templates.slice(0, SHOWN).map((template) => (
          <li key={template.id}>
            <button
              type="button"
              className="card flex min-h-14 w-full items-center gap-3 px-4 py-2 text-left hover:border-(--accent)"
              onClick={() => setUsed(template)}
            >
              <LayoutTemplate aria-hidden="true" size={20} className="shrink-0 text-(--accent)" />
              <span className="min-w-0 truncate font-semibold">{template.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {used && <UseSheet template={used} onClose={() => setUsed(null)} />}
    </section>
  )
}
