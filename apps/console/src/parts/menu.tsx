import { DropdownMenu } from "radix-ui"
import type { ReactNode } from "react"

type MenuProps = {
  readonly trigger: ReactNode
  readonly children: ReactNode
  readonly align?: "start" | "end"
  readonly side?: "top" | "bottom"
}

/** Where its button is, so that it is part of the same landmark. Not modal: Radix would write a style element into the page to stop it from scrolling. */
export function Menu({ trigger, children, align = "end", side = "bottom" }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content className="menu" align={align} side={side} sideOffset={6} collisionPadding={8}>
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

type ItemProps = { readonly onSelect: () => void; readonly children: ReactNode }

export function MenuItem({ onSelect, children }: ItemProps) {
  return (
    <DropdownMenu.Item className="menu-item" onSelect={onSelect}>
      {children}
    </DropdownMenu.Item>
  )
}

type ChoiceProps = {
  readonly label: string
  readonly value: string
  readonly onChoose: (value: string) => void
  readonly choices: readonly (readonly [value: string, name: string])[]
}

export function MenuChoice({ label, value, onChoose, choices }: ChoiceProps) {
  return (
    <>
      <DropdownMenu.Label className="px-3 pt-2 pb-1 text-xs font-semibold text-(--muted)">
        {label}
      </DropdownMenu.Label>
      <DropdownMenu.RadioGroup aria-label={label} value={value} onValueChange={onChoose}>
        {choices.map(([each, name]) => (
          <DropdownMenu.RadioItem key={each} value={each} className="menu-item">
            <span className="w-4 text-(--accent)">
              <DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
            </span>
            {name}
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
    </>
  )
}

export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-(--line)" />
}
