import { Readable } from "node:stream"
import type { Document } from "@paraph/core/document/model"
import type { Bytes } from "@paraph/core/ports"
import type { FastifyReply } from "fastify"

/** Streams a PDF out, named after its title, and never lets a browser run it in our name (security, R24). */
export function sendPdf(reply: FastifyReply, document: Document, bytes: Bytes, as: "attachment" | "inline") {
  return reply
    .type(document.contentType)
    .header("content-length", document.sizeBytes)
    .header("content-disposition", contentDisposition(document.title, as))
    .header("content-security-policy", "sandbox; default-src 'none'")
    .header("cache-control", "private, no-store")
    .send(Readable.from(bytes, { objectMode: false }))
}

/**
 * RFC 6266: a plain name for old clients, the whole one for the others. A title may hold any character (SR-33);
 * what could end the header, walk through folders or hide an ending is taken out.
 */
export function contentDisposition(title: string, as: "attachment" | "inline"): string {
  const clean = title
    .normalize("NFC")
    // Control, bidirectional and line characters, and what file systems do not take.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\\/:*?"<>|]/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[.\s]+|[.\s]+$/g, "")
  const stem = [...clean.replace(/\.pdf$/i, "")].slice(0, 120).join("").trim() || "document"
  const plain = stem.replace(/[^\x20-\x7e]|[%;]/g, "_")
  const encoded = encodeURIComponent(`${stem}.pdf`).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${as}; filename="${plain}.pdf"; filename*=UTF-8''${encoded}`
}
