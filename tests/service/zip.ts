import { crc32, inflateRawSync } from "node:zlib"

const END = 0x06054b50
const ENTRY = 0x02014b50

/** The files of a ZIP archive, by its own directory; each is what its checksum says (APPNOTE 4.3.12, 4.3.16). */
export function filesIn(archive: Buffer): ReadonlyMap<string, Buffer> {
  let end = archive.length - 22
  while (end >= 0 && archive.readUInt32LE(end) !== END) end -= 1
  if (end < 0) throw new Error("This is no whole archive.")
  const files = new Map<string, Buffer>()
  let at = archive.readUInt32LE(end + 16)
  for (let n = archive.readUInt16LE(end + 10); n > 0; n -= 1) {
    if (archive.readUInt32LE(at) !== ENTRY) throw new Error("The directory is broken.")
    const nameEnd = at + 46 + archive.readUInt16LE(at + 28)
    const name = archive.toString("utf8", at + 46, nameEnd)
    if (files.has(name)) throw new Error(`${name} is there twice.`)
    files.set(name, contentOf(archive, at))
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return files
}

function contentOf(archive: Buffer, entry: number): Buffer {
  const local = archive.readUInt32LE(entry + 42)
  const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const packed = archive.subarray(begin, begin + archive.readUInt32LE(entry + 20))
  const content = archive.readUInt16LE(entry + 10) === 0 ? packed : inflateRawSync(packed)
  if (
    content.length !== archive.readUInt32LE(entry + 24) ||
    crc32(content) !== archive.readUInt32LE(entry + 16)
  )
    throw new Error("A file is broken.")
  return content
}
