import { bearer, dropToken } from "../session/tokens.ts"
import { type Problem, ProblemError } from "./problem.ts"
import type { Document } from "./types.ts"

/** The very bytes, as they are. With `flatten` the service removes what it would refuse for its view, and lists the changes. */
export const uploadPdf = (
  file: File,
  onProgress: (share: number) => void,
  flatten = false,
): Promise<Document> =>
  postWithProgress(
    `/v3/documents?title=${encodeURIComponent(file.name)}${flatten ? "&flatten=true" : ""}`,
    file,
    {
      headers: { "content-type": "application/pdf" },
      onProgress,
    },
  )

type Posting = {
  readonly headers?: Readonly<Record<string, string>>
  /** From 0 to 1; at 1 the service has it and works. */
  readonly onProgress: (share: number) => void
  readonly signal?: AbortSignal
}

/** `fetch` cannot tell how much of a body has left. */
export async function postWithProgress<T>(
  address: string,
  body: Blob | FormData,
  { headers = {}, onProgress, signal }: Posting,
): Promise<T> {
  const token = await bearer()
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open("POST", address)
    request.setRequestHeader("authorization", `Bearer ${token}`)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
    request.upload.onload = () => onProgress(1)
    request.onerror = () => reject(new Error("The upload was cut off."))
    request.onabort = () => reject(signal?.reason)
    signal?.addEventListener("abort", () => request.abort(), { once: true })
    request.onload = () => {
      const answer = parsed(request.responseText)
      if (request.status === 401) dropToken()
      if (request.status === 200) resolve(answer as T)
      else {
        const told = new Headers({ "retry-after": request.getResponseHeader("retry-after") ?? "" })
        reject(new ProblemError(answer as Partial<Problem>, told))
      }
    }
    request.send(body)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
