import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { differencePicture, type View } from "../../api/validation.ts"
import { useNear } from "../../parts/use-near.ts"

type PictureProps = {
  readonly validationId: string
  readonly n: number
  readonly view: View
  readonly alt: string
}

/** Fetched with the token, which no address carries, when it comes near to the screen; let go of with it. */
export function Picture({ validationId, n, view, alt }: PictureProps) {
  const { i18n } = useLingui()
  const [place, isNear] = useNear<HTMLSpanElement>()
  const { data, isError } = useQuery({ ...differencePicture(validationId, n, view), enabled: isNear })
  const address = useAddressOf(data)
  return (
    <span ref={place} className="page block min-h-24">
      {address !== null && <img src={address} alt={alt} className="block w-full" />}
      {data === null && <Words>{i18n._("This page was not there.")}</Words>}
      {isError && <Words>{i18n._("This picture is not there any more.")}</Words>}
    </span>
  )
}

const Words = ({ children }: { readonly children: string }) => (
  <span className="grid min-h-24 place-items-center p-2 text-center text-sm">{children}</span>
)

function useAddressOf(blob: Blob | null | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!blob) return setAddress(null)
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return address
}
