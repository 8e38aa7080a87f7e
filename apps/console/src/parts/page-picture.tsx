import { useLingui } from "@lingui/react"
import { useQuery } from "@tanstack/react-query"
import { fetchBytes } from "../api/client.ts"
import { Button } from "./button.tsx"
import { useNear } from "./use-near.ts"

type PagePictureProps = {
  readonly documentId: string
  /** From 0. */
  readonly page: number
  readonly scale: 20 | 100
  readonly alt: string
  /** Width to height, until the picture says it itself. */
  readonly ratio: number
  readonly onSize?: (width: number, height: number) => void
}

/** A page as the service draws it; asked for when it comes near to the screen. */
export function PagePicture({ documentId, page, scale, alt, ratio, onSize }: PagePictureProps) {
  const { i18n } = useLingui()
  const [place, isNear] = useNear<HTMLDivElement>()
  const picture = useQuery({
    queryKey: ["page", documentId, page, scale],
    queryFn: ({ signal }) => fetchPage(documentId, page, scale, signal),
    enabled: isNear,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * 60_000,
    retry: 1,
  })
  return (
    <div ref={place} className="bg-white" style={{ aspectRatio: ratio }}>
      {picture.data && (
        <img
          src={picture.data}
          alt={alt}
          draggable={false}
          className="block h-full w-full select-none"
          onLoad={({ currentTarget }) => onSize?.(currentTarget.naturalWidth, currentTarget.naturalHeight)}
        />
      )}
      {picture.isError && (
        <div className="grid h-full place-items-center p-2 text-center text-sm text-[#1b2a4a]">
          {scale === 20 ? (
            <span aria-hidden="true">PDF</span>
          ) : (
            <Button onClick={() => picture.refetch()}>
              {i18n._("Load page {number} again", { number: page + 1 })}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

const WAITS_MS = 1_000

/** Large pages take a while: 202 says that it is being drawn. */
async function fetchPage(id: string, page: number, scale: number, signal: AbortSignal): Promise<string> {
  const response = await fetchBytes(`/documents/${id}/pages/${page}?scale=${scale}`, "image/webp", signal)
  if (response.status !== 202) return URL.createObjectURL(await response.blob())
  await new Promise((resolve) => setTimeout(resolve, WAITS_MS))
  return fetchPage(id, page, scale, signal)
}
