// Pictures that people send: decoded by a native library, so what is tested is what we let through to it.

import { readImage } from "@paraph/pades/image"
import { ImageRefused } from "@paraph/pades/image-refused"
import { must, type Target } from "../target.ts"

const BOX = { width: 100, height: 50 }

export const images: Target = {
  name: "image",
  kind: "bytes",
  seeds: () => [PNG, JPEG],
  refusals: [ImageRefused],
  run: async (input) => {
    const { width, height, rgb } = await readImage(input, BOX)
    must(rgb.length === 3 * width * height, "there are three octets for every pixel")
    must(width > 0 && height > 0 && width * height <= 4_000_000, "a picture is bounded")
    return `${Math.min(width, 3)} ${Math.min(height, 3)}`
  },
}

// Four by three pixels of one colour.
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAYAAAC09K7GAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEklEQVQImWM4wSWXhowZCAoA" +
    "AJ96EAl3J45JAAAAAElFTkSuQmCC",
  "base64",
)
const JPEG = Buffer.from(
  "/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBD" +
    "ARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAADAAQD" +
    "ASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAA" +
    "AgT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCCACt//9k=",
  "base64",
)
