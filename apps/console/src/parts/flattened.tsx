import { useLingui } from "@lingui/react"

/** What was changed at upload, in the words of the service. */
export function Flattened({ changes }: { readonly changes: readonly string[] }) {
  const { i18n } = useLingui()
  return (
    <details className="mt-1 text-sm" open>
      <summary className="font-semibold">{i18n._("Changed at upload")}</summary>
      <p className="mt-1">
        {i18n._(
          "The document looks the same everywhere now, as it is printed. Please look at it before you send it. What was changed, in English:",
        )}
      </p>
      <ul lang="en" className="mt-1 grid list-disc gap-1 pl-5 wrap-anywhere">
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </details>
  )
}
