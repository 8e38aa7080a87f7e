import { contentAddress, type SigningDocument } from "../api.ts"
import { words } from "../words.ts"
import { PageImage } from "./page-image.tsx"

type PagesProps = { readonly document: SigningDocument; readonly first: boolean; readonly alone: boolean }

/** One document: its facts, the way to the very bytes that will be signed, and a picture of each page. */
export function Pages({ document, first, alone }: PagesProps) {
  const { id, title, pageCount, sizeBytes, sha256 } = document
  const indices = Array.from({ length: pageCount }, (_, index) => index)
  return (
    <article aria-labelledby={`title-${id}`} className={alone ? "mt-4" : "mt-8"}>
      <h2 id={`title-${id}`} dir="auto" className={alone ? "sr-only" : "display text-lg sm:text-xl"}>
        {title}
      </h2>
      <p className="flex flex-wrap items-center gap-x-4 text-sm text-(--muted)">
        {words.read.facts(pageCount, size(sizeBytes))}
        <a
          className="link inline-flex min-h-11 items-center"
          href={contentAddress(id)}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={alone ? undefined : words.read.originalOf(title)}
        >
          {words.read.original}
        </a>
      </p>
      <div className="mt-1 grid gap-4">
        {indices.map((index) => (
          <PageImage
            key={index}
            document={document}
            index={index}
            eager={first && index === 0}
            alone={alone}
          />
        ))}
      </div>
      <p className="mt-4 text-sm text-(--muted)">{words.read.originalHint}</p>
      <details className="mt-1 text-sm text-(--muted)">
        <summary className="flex min-h-11 cursor-pointer items-center">{words.read.fingerprint}</summary>
        <code className="block pb-3 break-all">{sha256}</code>
      </details>
    </article>
  )
}

/** Decisions, "MB": 10⁶ bytes everywhere. */
function size(bytes: number): string {
  const [amount, unit] = bytes < 1_000_000 ? [bytes / 1_000, "kilobyte"] : [bytes / 1_000_000, "megabyte"]
  const digits = unit === "kilobyte" ? 0 : 1
  return new Intl.NumberFormat("en", { style: "unit", unit, maximumFractionDigits: digits }).format(
    unit === "kilobyte" ? Math.max(1, amount) : amount,
  )
}
