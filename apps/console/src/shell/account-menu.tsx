import { useLingui } from "@lingui/react"
import { ChevronsUpDown, KeyRound, LogOut, MailOpen } from "lucide-react"
import { useState } from "react"
import { chooseLanguage, LANGUAGES, type Language } from "../language.ts"
import { Badge } from "../parts/badge.tsx"
import { Menu, MenuChoice, MenuItem, MenuLine } from "../parts/menu.tsx"
import { Sheet } from "../parts/sheet.tsx"
import { type Kind, signOut } from "../session/account.ts"
import { Invitations } from "../session/invitations.tsx"
import { keepBusiness, switchTo, useSession } from "../session/session.tsx"

/** Who I am, for which business, for real or as a test, in which language. */
export function AccountMenu() {
  const { i18n } = useLingui()
  const { account, membership, kind } = useSession()
  const kinds = [
    ["demo", i18n._("Test")],
    ["production", i18n._("Production")],
  ] as const
  const businesses = account.businesses.map((each) => [each.businessId, each.name] as const)
  const [isAnswering, setAnswering] = useState(false)
  const lookAtInvitations = () => {
    keepBusiness(membership.businessId)
    setAnswering(true)
  }
  const { invitations } = account
  const menu = (
    <Menu trigger={<Trigger />}>
      <p className="px-3 pt-2 text-sm text-(--muted)">{account.email}</p>
      {businesses.length > 1 && (
        <MenuChoice
          label={i18n._("Business")}
          value={membership.businessId}
          choices={businesses}
          onChoose={(id) => switchTo(id, kind)}
        />
      )}
      {invitations.map(({ businessId, name }) => (
        <MenuItem key={businessId} onSelect={lookAtInvitations}>
          <MailOpen aria-hidden="true" size={18} />
          {i18n._("{business} invites you", { business: name })}
        </MenuItem>
      ))}
      {businesses.length > 0 && (
        <MenuChoice
          label={i18n._("What you send is for")}
          value={kind}
          choices={kinds}
          onChoose={(chosen) => switchTo(membership.businessId, chosen as Kind)}
        />
      )}
      <MenuChoice
        label={i18n._("Language")}
        value={i18n.locale}
        choices={Object.entries(LANGUAGES)}
        onChoose={(language) => chooseLanguage(language as Language)}
      />
      <MenuLine />
      <MenuItem onSelect={() => location.assign("/account/security")}>
        <KeyRound aria-hidden="true" size={18} />
        {i18n._("Your account")}
      </MenuItem>
      <MenuItem onSelect={signOut}>
        <LogOut aria-hidden="true" size={18} />
        {i18n._("Sign out")}
      </MenuItem>
    </Menu>
  )
  return (
    <>
      {menu}
      {isAnswering && (
        <Sheet heading={i18n._("You are invited")} onClose={() => setAnswering(false)}>
          <Invitations invitations={invitations} />
        </Sheet>
      )}
    </>
  )
}

function Trigger(props: object) {
  const { i18n } = useLingui()
  const { account, membership, kind } = useSession()
  return (
    <button
      type="button"
      {...props}
      className="flex min-h-11 items-center gap-2.5 rounded-xl border border-(--line) bg-(--sheet) px-2 py-1.5 text-left hover:border-(--accent)"
    >
      <span
        aria-hidden="true"
        className="display grid size-8 shrink-0 place-items-center rounded-full bg-(--accent) text-sm text-(--on-accent)"
      >
        {membership.name.slice(0, 1)}
      </span>
      <span className="sr-only">{i18n._("Account and settings")}: </span>
      {account.invitations.length > 0 && (
        <span className="-ml-1">
          <Badge look="warn" Sign={MailOpen}>
            <span className="sr-only">{i18n._("Invitations")}: </span>
            {account.invitations.length}
          </Badge>
        </span>
      )}
      <span className="hidden min-w-0 grow sm:block">
        <span className="line-clamp-2 text-sm leading-tight font-semibold">{membership.name}</span>
        <span className="block truncate text-xs text-(--muted)">
          {account.businesses.length === 0
            ? i18n._("Operator")
            : kind === "demo"
              ? i18n._("Test")
              : i18n._("Production")}{" "}
          · {account.name ?? account.email}
        </span>
      </span>
      <ChevronsUpDown aria-hidden="true" size={16} className="shrink-0 text-(--muted)" />
    </button>
  )
}
