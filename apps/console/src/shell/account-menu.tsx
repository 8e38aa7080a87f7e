import { useLingui } from "@lingui/react"
import { ChevronsUpDown, KeyRound, LogOut } from "lucide-react"
import { chooseLanguage, LANGUAGES, type Language } from "../language.ts"
import { Menu, MenuChoice, MenuItem, MenuLine } from "../parts/menu.tsx"
import { type Kind, signOut } from "../session/account.ts"
import { switchTo, useSession } from "../session/session.tsx"

/** Who I am, for which business, for real or as a test, in which language. */
export function AccountMenu() {
  const { i18n } = useLingui()
  const { account, membership, kind } = useSession()
  const kinds = [
    ["demo", i18n._("Test")],
    ["production", i18n._("Production")],
  ] as const
  const businesses = account.businesses.map((each) => [each.businessId, each.name] as const)
  return (
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
}

function Trigger(props: object) {
  const { i18n } = useLingui()
  const { account, membership, kind } = useSession()
  return (
    <button
      type="button"
      {...props}
      className="flex min-h-11 items-center gap-3 rounded-xl border border-(--line) bg-(--sheet) px-2 py-1.5 text-left hover:border-(--accent) lg:px-3"
    >
      <span
        aria-hidden="true"
        className="display grid size-8 place-items-center rounded-full bg-(--accent) text-sm text-(--on-accent)"
      >
        {membership.name.slice(0, 1)}
      </span>
      <span className="sr-only">{i18n._("Account and settings")}: </span>
      <span className="hidden min-w-0 grow sm:block">
        <span className="block truncate font-semibold">{membership.name}</span>
        <span className="block truncate text-sm text-(--muted)">
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
