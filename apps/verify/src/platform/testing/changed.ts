/** Octets with one of them changed, with some missing, or with something behind them. */
export function changed(whole: Buffer, kind: string, at: number): Uint8Array {
  const data = Buffer.from(whole)
  if (kind === "cut") return data.subarray(0, at % data.length)
  if (kind === "more") return Buffer.concat([data, Buffer.from("\r\n\u001f\u008b")])
  if (kind === "flip") data[at % data.length] = (data[at % data.length] ?? 0) ^ (1 << (at % 8))
  return data
}
