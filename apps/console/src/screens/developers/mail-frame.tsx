import { useEffect, useRef } from "react"

type MailFrameProps = { readonly html: string; readonly title: string }

/**
 * A mail as a mail program shows it, in a frame that runs no script. Its styles stand in attributes, which our content
 * security policy refuses when they are parsed, in the frame as well; set through the style object they are fine.
 */
export function MailFrame({ html, title }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const element = frame.current
    const inside = element?.contentDocument
    if (element === null || inside == null) return
    const mail = new DOMParser().parseFromString(setAside(html), "text/html")
    inside.documentElement.lang = mail.documentElement.lang
    inside.title = title
    inside.body.replaceChildren()
    wear(inside.body, mail.body)
    copy(mail.body, inside.body)
    const grow = () => {
      element.style.height = `${inside.documentElement.scrollHeight}px`
    }
    grow()
    const watcher = new ResizeObserver(grow)
    watcher.observe(inside.body)
    return () => watcher.disconnect()
  }, [html, title])
  return (
    <iframe
      ref={frame}
      title={title}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      className="block min-h-96 w-full bg-white"
    />
  )
}

const STYLE = "data-style"

/** Under another name the parser lets the styles pass. */
const setAside = (html: string): string =>
  html.replace(/<[^>]+>/g, (tag) => tag.replace(/\sstyle=/gi, ` ${STYLE}=`))

/** What a letter is made of; anything else has no business in it. */
const LEFT_OUT = "script,style,link,meta,base,iframe,object,embed,form,input,button,template,svg"

function copy(from: Element, to: Element): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.textContent ?? "")
    if (!(node instanceof HTMLElement) || node.matches(LEFT_OUT)) continue
    const element = to.ownerDocument.createElement(node.localName)
    for (const { name, value } of node.attributes)
      if (name !== STYLE && !name.startsWith("on")) element.setAttribute(name, value)
    wear(element, node)
    if (node.localName === "a") {
      element.setAttribute("target", "_blank")
      element.setAttribute("rel", "noopener noreferrer")
    }
    copy(node, element)
    to.append(element)
  }
}

function wear(element: HTMLElement, like: HTMLElement): void {
  element.style.cssText = like.getAttribute(STYLE) ?? ""
}
