import { useEffect, useRef, useState } from "react"
import { type Look, pictureAddress } from "../api.ts"

/** The signature as it will be seen, as large as the box around it allows. */
export function LookPicture({ look, name }: { readonly look: Look; readonly name: string }) {
  switch (look.type) {
    case "drawn":
      return (
        <svg viewBox={`0 0 ${look.width} ${look.height}`} className="look" aria-hidden="true">
          {look.strokes.map((stroke, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a stroke has nothing but its place
            <path key={place} d={pathOf(stroke)} strokeWidth={look.height / 28} />
          ))}
        </svg>
      )
    case "picture":
      return <img src={pictureAddress(look.id)} alt="" className="look object-contain" draggable={false} />
    case "typed":
      return <TypedName font={look.font} name={name} />
    case "plain":
      return <TypedName font="plain" name={name} />
  }
}

const FAMILIES: Readonly<Record<string, string>> = {
  caveat: "Caveat",
  "dancing-script": "Dancing Script",
  allura: "Allura",
}

/** As large as its box allows, whatever the name and the handwriting; so its own size is measured once the font is there. */
function TypedName({ font, name }: { readonly font: string; readonly name: string }) {
  const text = useRef<SVGTextElement>(null)
  const [box, setBox] = useState("0 -72 300 100")
  useEffect(() => {
    let current = true
    const measure = () => {
      const size = current ? text.current?.getBBox() : undefined
      if (size !== undefined && size.width > 0)
        setBox(`${size.x - 6} ${size.y} ${size.width + 12} ${size.height}`)
    }
    measure()
    document.fonts.load(`72px "${FAMILIES[font] ?? "sans-serif"}"`, name).then(measure, measure)
    return () => {
      current = false
    }
  }, [font, name])
  return (
    <svg viewBox={box} className={`look hand-${font}`} aria-hidden="true">
      <text ref={text} fontSize="72">
        {name}
      </text>
    </svg>
  )
}

/** Through the middles between points, so that few of them make a smooth line. */
export function pathOf(stroke: readonly number[]): string {
  const [x = 0, y = 0] = stroke
  if (stroke.length < 4) return `M${x} ${y}h0`
  let path = `M${x} ${y}`
  for (let place = 2; place < stroke.length - 2; place += 2) {
    const [cx = 0, cy = 0, nx = 0, ny = 0] = stroke.slice(place, place + 4)
    path += `Q${cx} ${cy} ${(cx + nx) / 2} ${(cy + ny) / 2}`
  }
  return `${path}L${stroke.at(-2)} ${stroke.at(-1)}`
}
