import { useLingui } from "@lingui/react"
import { useEffect, useRef } from "react"
import { whisper } from "../../parts/announce.tsx"
import { Button } from "../../parts/button.tsx"

type RunningProps = { readonly file: File; readonly share: number; readonly onCancel: () => void }

/** What takes long is looking up certificates and comparing pages; nobody knows how long. */
export function Running({ file, share, onCancel }: RunningProps) {
  const { i18n } = useLingui()
  const heading = useRef<HTMLHeadingElement>(null)
  const isSent = share >= 1
  const what = isSent ? i18n._("The signatures are being looked at …") : i18n._("Uploading …")
  useEffect(() => heading.current?.focus(), [])
  useEffect(() => whisper(what), [what])
  return (
    <section aria-busy="true" className="card px-6 py-12 text-center sm:py-16">
      <h2 ref={heading} tabIndex={-1} className="display text-xl outline-none">
        <bdi>{file.name}</bdi>
      </h2>
      <div className="mx-auto mt-4 max-w-md">
        <progress className="upload" aria-label={what} max={1} {...(!isSent && { value: share })} />
        <p className="mt-2 text-(--muted)">{what}</p>
        {isSent && (
          <p className="mt-1 text-sm text-(--muted)">
            {i18n._("This takes a few seconds; with many signatures, up to half a minute.")}
          </p>
        )}
        <Button className="mt-6" onClick={onCancel}>
          {i18n._("Cancel")}
        </Button>
      </div>
    </section>
  )
}
