// Writes XML 1.0, and only what may stand in it. Small, because a report has elements, attributes and text and nothing else.

export type Xml = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (Xml | string)[]
}

type Child = Xml | string | undefined | readonly (Xml | undefined)[]

/** Children that are undefined are left out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  ...children: readonly Child[]
): Xml {
  const given = Object.entries(attributes).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return {
    name,
    attributes: Object.fromEntries(given),
    children: children.flat().filter((child): child is Xml | string => child !== undefined),
  }
}

export function writeXml(root: Xml): string {
  const lines: string[] = ['<?xml version="1.0" encoding="UTF-8"?>']
  write(root, "", lines)
  return `${lines.join("\n")}\n`
}

// Elements that hold text stand on one line: white space in text counts.
function write({ name, attributes, children }: Xml, indent: string, lines: string[]): void {
  const head = Object.entries(attributes).map(([key, value]) => ` ${key}="${attributeText(value)}"`)
  const open = `${indent}<${name}${head.join("")}`
  if (children.length === 0) {
    lines.push(`${open}/>`)
    return
  }
  const texts = children.filter((child) => typeof child === "string")
  if (texts.length > 0) {
    lines.push(`${open}>${text(texts.join(""))}</${name}>`)
    return
  }
  lines.push(`${open}>`)
  for (const child of children) if (typeof child !== "string") write(child, `${indent}  `, lines)
  lines.push(`${indent}</${name}>`)
}

// XML 1.0, 2.2: most controls, halves of surrogate pairs and two non-characters cannot stand in XML, not even escaped.
const NO_CHARACTER = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
  "\n": "&#10;",
  "\t": "&#9;",
}

function text(value: string): string {
  return allowed(value).replace(/[&<>\r]/g, (one) => ESCAPES[one] ?? one)
}

// 3.3.3: white space that is not escaped becomes a space in an attribute.
function attributeText(value: string): string {
  return allowed(value).replace(/[&<>"\r\n\t]/g, (one) => ESCAPES[one] ?? one)
}

function allowed(value: string): string {
  return value.toWellFormed().replace(NO_CHARACTER, "\ufffd")
}
