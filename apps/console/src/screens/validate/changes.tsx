import { useLingui } from "@lingui/react"
import { CircleCheck, TriangleAlert } from "lucide-react"
import type { SignerInfo } from "../../api/validation.ts"
import { sayChange } from "./change-words.ts"
import { Foreign } from "./foreign.tsx"
import { Pictures } from "./pictures.tsx"
import { isFilled, isRefilled, sayPages } from "./words.ts"

type ChangesProps = { readonly validationId: string; readonly signer: SignerInfo }

/** What happened to the document after this signature, as far as that matters. */
export function Changes({ validationId, signer }: ChangesProps) {
  const { i18n } = useLingui()
  const { indication, changes, undefinedChanges, visualDifferences } = signer
  const isSame = !undefinedChanges && !visualDifferences && !isRefilled(signer)
  // Whether nothing came afterwards is known only where the signature is over this very document.
  if (isSame && indication !== "TOTAL-PASSED") return null
  const seen = changes.filter(({ kind }) => kind === "visual")
  const pages = [...new Set(seen.flatMap(({ page }) => page ?? []))].sort((a, b) => a - b)
  const Sign = isSame ? CircleCheck : TriangleAlert
  return (
    <div className="mt-5 border-t border-(--line) pt-5">
      <h4 className="flex items-center gap-2 text-sm text-(--muted)">{i18n._("Since then")}</h4>
      <p className="mt-1 flex items-start gap-2 font-semibold">
        <Sign
          aria-hidden="true"
          size={20}
          className={`mt-0.5 shrink-0 ${isSame ? "text-(--good)" : "text-(--danger)"}`}
        />
        <span>
          {isSame
            ? isFilled(signer)
              ? i18n._("Form fields that were empty were filled in, and a later signature covers them.")
              : i18n._("Nothing was changed that matters.")
            : pages.length > 0
              ? sayPages(i18n, pages)
              : undefinedChanges
                ? i18n._("The document was changed in a way that no rule explains.")
                : i18n._("A value of the form is not the one that was signed.")}
        </span>
      </p>
      <Pictures validationId={validationId} changes={seen} />
      <Unexplained changes={changes.filter(({ kind }) => kind !== "visual")} />
    </div>
  )
}

const MAX_LISTED = 100

function Unexplained({ changes }: { readonly changes: SignerInfo["changes"] }) {
  const { i18n } = useLingui()
  if (changes.length === 0) return null
  return (
    <details className="mt-4">
      <summary className="font-semibold text-(--accent)">
        {i18n._("{count, plural, one {What was changed: # place} other {What was changed: # places}}", {
          count: changes.length,
        })}
      </summary>
      <ul className="mt-3 divide-y divide-(--line) text-sm">
        {changes.slice(0, MAX_LISTED).map(({ path, kind, page }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and the same path may come twice
          <li key={index} className="flex flex-wrap gap-x-3 py-2">
            <span>
              {sayChange(i18n, kind)}
              {page !== null && ` · ${i18n._("page {page}", { page })}`}
            </span>
            <code className="text-(--muted)">
              <Foreign text={path} />
            </code>
          </li>
        ))}
        {changes.length > MAX_LISTED && (
          <li className="py-2">{i18n._("and {count} more", { count: changes.length - MAX_LISTED })}</li>
        )}
      </ul>
    </details>
  )
}
