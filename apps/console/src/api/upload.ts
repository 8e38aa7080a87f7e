import { bearer } from "../session/tokens.ts"
import { type Problem, ProblemError } from "./problem.ts"
import type { Document } from "./types.ts"

/** The very bytes, as they are, with progress; `fetch` cannot tell how much of a body has left. */
export async function uploadPdf(file: File, onProgress: (share: number) => void): Promise<Document> {
  const token = await bearer()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open("POST", `/v3/documents?title=${encodeURIComponent(file.name)}`)
    request.setRequestHeader("authorization", `Bearer ${token}`)
    request.setRequestHeader("content-type", "application/pdf")
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
    request.onerror = () => reject(new Error("The upload was cut off."))
    request.onload = () => {
      const body = parsed(request.responseText)
      if (request.status === 200) resolve(body as Document)
      else {
        const headers = new Headers({ "retry-after": request.getResponseHeader("retry-after") ?? "" })
        reject(new ProblemError(body as Partial<Problem>, headers))
      }
    }
    request.send(file)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
