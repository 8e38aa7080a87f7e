import type { I18n } from "@lingui/core"
import { useLingui } from "@lingui/react"
import { useEffect, useRef, useState } from "react"
import UPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import type { Counts } from "../../api/usage.ts"
import { sayMonth } from "../../parts/said.ts"
import type { Row } from "./figures.ts"

type Series = {
  readonly name: string
  /** A custom property of the style sheet, so that light and dark have their own. */
  readonly colour: `--${string}`
  readonly of: (counts: Counts) => number
}

type ChartProps = {
  readonly label: string
  readonly rows: readonly Row[]
  readonly series: readonly Series[]
}

const HEIGHT = 260

/** Bars side by side. What the mouse is over is said in the legend; the table beside it says all of it to everybody. */
export function Chart({ label, rows, series }: ChartProps) {
  const { i18n } = useLingui()
  const place = useRef<HTMLDivElement>(null)
  const [over, setOver] = useState<number | null>(null)
  const scheme = useScheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: with other colours it is drawn anew
  useEffect(() => {
    const target = place.current
    if (target === null) return
    const plot = new UPlot(optionsOf(i18n, target, rows, series, setOver), dataOf(rows, series), target)
    const watcher = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height: HEIGHT }))
    watcher.observe(target)
    return () => {
      watcher.disconnect()
      plot.destroy()
    }
  }, [i18n, i18n.locale, rows, series, scheme])
  const shown = over === null ? undefined : rows[over]
  return (
    <figure>
      <figcaption className="mb-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {series.map(({ name, colour, of }) => (
          <span key={name} className="flex items-center gap-2">
            <span aria-hidden="true" className="size-3 rounded-sm" style={{ background: `var(${colour})` }} />
            {name}
            {shown && <strong className="tabular-nums">{of(shown.counts)}</strong>}
          </span>
        ))}
        {shown && <span className="ml-auto text-(--muted)">{sayWhen(i18n, shown.when)}</span>}
      </figcaption>
      <div
        ref={place}
        role="img"
        aria-label={i18n._("Chart: {what}. The same figures stand in the table below.", { what: label })}
        className="min-w-0 overflow-hidden"
        style={{ height: HEIGHT }}
      />
    </figure>
  )
}

const dataOf = (rows: readonly Row[], series: readonly Series[]): UPlot.AlignedData => [
  rows.map((_, index) => index),
  ...series.map(({ of }) => rows.map(({ counts }) => of(counts))),
]

function optionsOf(
  i18n: I18n,
  target: HTMLElement,
  rows: readonly Row[],
  series: readonly Series[],
  onOver: (index: number | null) => void,
): UPlot.Options {
  const style = getComputedStyle(target)
  const colour = (name: string) => style.getPropertyValue(name)
  const axis = {
    stroke: colour("--muted"),
    font: "12px system-ui, sans-serif",
    ticks: { show: false },
  }
  const bars = UPlot.paths.bars
  return {
    width: target.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: [-0.6, rows.length - 0.4] },
      // Never less than four lines, so that a single request does not look like a flood.
      y: { range: (_, __, most) => [0, Math.max(4, Math.ceil(most * 1.1))] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 30,
        space: 56,
        incrs: [1, 2, 3, 5, 7, 10],
        values: (_, at) => at.map((index) => sayShort(i18n, rows[index]?.when)),
      },
      {
        ...axis,
        size: 44,
        grid: { stroke: colour("--line"), width: 1 },
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000],
        values: (_, at) => at.map((value) => new Intl.NumberFormat(i18n.locale).format(value)),
      },
    ],
    series: [
      {},
      ...series.map(({ name, colour: of }, index) => ({
        label: name,
        fill: colour(of),
        stroke: colour(of),
        width: 0,
        points: { show: false },
        ...(bars && { paths: bars({ size: [0.38, 28], align: index === 0 ? -1 : 1, radius: 0.15 }) }),
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onOver(cursor.idx ?? null)] },
  }
}

const DARK = "(prefers-color-scheme: dark)"

function useScheme(): boolean {
  const [isDark, setDark] = useState(() => matchMedia(DARK).matches)
  useEffect(() => {
    const query = matchMedia(DARK)
    const look = () => setDark(query.matches)
    query.addEventListener("change", look)
    return () => query.removeEventListener("change", look)
  }, [])
  return isDark
}

function sayShort(i18n: I18n, when: string | undefined): string {
  if (when === undefined) return ""
  const style =
    when.length === 7
      ? ({ month: "short", year: "2-digit" } as const)
      : ({ day: "numeric", month: "short" } as const)
  return new Intl.DateTimeFormat(i18n.locale, { ...style, timeZone: "UTC" }).format(dateOf(when))
}

const sayWhen = (i18n: I18n, when: string): string =>
  when.length === 7
    ? sayMonth(i18n, when)
    : new Intl.DateTimeFormat(i18n.locale, { dateStyle: "full", timeZone: "UTC" }).format(dateOf(when))

const dateOf = (when: string): Date => new Date(when.length === 7 ? `${when}-01` : when)
