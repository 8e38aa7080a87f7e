import { useLingui } from "@lingui/react"
import { Moon } from "lucide-react"
import { type CSSProperties, type ReactNode, useState } from "react"
import { dayShade, nightShade } from "./contrast.ts"

type Brand = {
  readonly colour: string
  /** Whom mails come from. */
  readonly sender: string
  /** Who asks: what the signing page says, whatever mails are called by. */
  readonly business: string
  readonly logo: string | null
}

/** What signers will see, while it is being chosen; as the pages and mails themselves are, in small. */
export function BrandPreview(brand: Brand) {
  const { i18n } = useLingui()
  const [isDark, setDark] = useState(false)
  return (
    <section aria-label={i18n._("Preview")} className="card min-w-0 p-5 xl:sticky xl:top-8">
      <div className="mb-3 flex min-h-11 items-center justify-between gap-2">
        <h2 className="display text-lg">{i18n._("What signers see")}</h2>
        <button
          type="button"
          aria-pressed={isDark}
          className="button button-bare whitespace-nowrap aria-pressed:bg-(--accent-soft)"
          onClick={() => setDark(!isDark)}
        >
          <Moon aria-hidden="true" size={18} />
          {i18n._("Dark mode")}
        </button>
      </div>
      <div className="brand grid gap-4" style={schemeOf(brand.colour, isDark)}>
        <Framed name={i18n._("E-mail")}>
          <MailPreview {...brand} />
        </Framed>
        <Framed name={i18n._("Signing page")}>
          <DoorPreview {...brand} />
        </Framed>
      </div>
    </section>
  )
}

/** The colours of apps/signing, whatever the console itself is shown in. */
function schemeOf(colour: string, isDark: boolean): CSSProperties {
  const scheme = isDark
    ? {
        paper: "#12161f",
        sheet: "#1b2130",
        line: "#333c50",
        ink: "#e9ecf4",
        muted: "#a9b3c9",
        accent: nightShade(colour),
        on: "#0e1730",
      }
    : {
        paper: "#f6f3ec",
        sheet: "#fffdf8",
        line: "#ddd6c6",
        ink: "#1b2a4a",
        muted: "#545d73",
        accent: dayShade(colour),
        on: "#ffffff",
      }
  return Object.fromEntries(Object.entries(scheme).map(([name, value]) => [`--brand-${name}`, value]))
}

function Framed({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <figure>
      <figcaption className="mb-1 text-sm font-semibold text-(--muted)">{name}</figcaption>
      <div className="overflow-hidden rounded-xl border border-(--line) bg-(--brand-paper) text-(--brand-ink)">
        {children}
      </div>
    </figure>
  )
}

/** The logo stands on white in the dark too: nobody knows which colours it has. */
function Head({ called, logo }: { readonly called: string; readonly logo: string | null }) {
  return logo === null ? (
    <span className="display text-base text-(--brand-accent)">{called}</span>
  ) : (
    <img src={logo} alt={called} className="h-8 max-w-40 rounded bg-white object-contain p-1" />
  )
}

function MailPreview(brand: Brand) {
  const { i18n } = useLingui()
  return (
    <>
      <div className="flex items-center gap-3 border-b border-(--brand-line) px-4 py-2.5 text-sm">
        <span
          aria-hidden="true"
          className="grid size-8 shrink-0 place-items-center rounded-full bg-(--brand-accent) font-semibold text-(--brand-on)"
        >
          {brand.sender.slice(0, 1).toUpperCase()}
        </span>
        <span className="min-w-0">
          <span className="block truncate font-semibold">{brand.sender}</span>
          <span className="block truncate text-(--brand-muted)">{i18n._("Please sign: Lease contract")}</span>
        </span>
      </div>
      <div className="p-4">
        <Head called={brand.sender} logo={brand.logo} />
        <div className="mt-3 rounded-lg border border-(--brand-line) bg-(--brand-sheet) p-4 text-sm">
          <p className="display mb-2 text-base">
            {i18n._("{sender} asks you to sign “Lease contract”", { sender: brand.sender })}
          </p>
          <Press>{i18n._("Read and sign")}</Press>
        </div>
        <p className="mt-3 text-xs text-(--brand-muted)">{i18n._("Sent with Paraph")}</p>
      </div>
    </>
  )
}

function DoorPreview(brand: Brand) {
  const { i18n } = useLingui()
  return (
    <div className="p-4">
      <Head called={brand.business} logo={brand.logo} />
      <div className="mt-3 rounded-lg border border-(--brand-line) bg-(--brand-sheet) p-4 text-sm">
        <p className="display mb-1 text-base">
          {i18n._("{sender} asks you to sign", { sender: brand.business })}
          <span className="block text-(--brand-accent)">{i18n._("Lease contract")}</span>
        </p>
        <p className="mb-3 text-(--brand-muted)">
          {i18n._("Read the document first, then decide. You need no account.")}
        </p>
        <Press>{i18n._("Open document")}</Press>
      </div>
    </div>
  )
}

function Press({ children }: { readonly children: ReactNode }) {
  return (
    <span className="inline-block rounded-lg bg-(--brand-accent) px-4 py-2 font-semibold text-(--brand-on)">
      {children}
    </span>
  )
}
