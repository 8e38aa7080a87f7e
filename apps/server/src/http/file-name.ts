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
