/** Text that is markup already. Everything else that meets the template is escaped. */
export type Html = { readonly html: string }

type Value = string | number | null | Html | readonly Html[]

/** The only way the server writes markup, so a value from outside is escaped because nobody can forget to. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const rendered = parts.map((part, index) => part + render(values[index] ?? null))
  return { html: rendered.join("") }
}

function render(value: Value): string {
  if (value === null) return ""
  if (typeof value === "string") return escapeHtml(value)
  if (typeof value === "number") return String(value)
  return "html" in value ? value.html : value.map((item) => item.html).join("")
}

/** Safe between tags and inside quoted attributes; a template never leaves an attribute unquoted. */
function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\0", "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
}
