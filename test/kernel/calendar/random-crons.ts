// Random cron expressions from a seed, together with the draws. The oracle reads the draws and never the text.

import { numbersFrom } from "#test/sim/kit/chance.ts";

export type Item =
  | { readonly kind: "all"; readonly step: number }
  | { readonly kind: "range"; readonly from: number; readonly to: number; readonly step: number }
  | { readonly kind: "fromEnd"; readonly before: number }
  | { readonly kind: "lastWorkday" }
  | { readonly kind: "nearest"; readonly date: number }
  | { readonly kind: "nth"; readonly weekday: number; readonly nth: number | "last" };
export type Drawn = {
  readonly text: string;
  readonly second: readonly Item[];
  readonly minute: readonly Item[];
  readonly hour: readonly Item[];
  readonly date: readonly Item[];
  readonly month: readonly Item[];
  readonly weekday: readonly Item[];
  readonly isBoth: boolean;
};

/** Random numbers: the same seed gives the same numbers everywhere. */
export function drawer(seed: number): (below: number) => number {
  const draw = numbersFrom(seed);
  return (below) => Math.floor(draw() * below);
}

type Draw = (below: number) => number;
const WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const MONTHS = ["", "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const OPEN: readonly Item[] = [{ kind: "all", step: 1 }];

export function drawCron(seed: number): Drawn {
  const draw = drawer(seed);
  // Most expressions list the hours in which clocks change.
  const hour = draw(4) === 0 ? drawField(draw, 0, 23) : [range(draw(4), 0)];
  const parts = {
    second: drawSeconds(draw),
    minute: drawField(draw, 0, 59),
    hour: draw(5) === 0 ? [{ kind: "all", step: 1 + draw(3) } as const] : hour,
    date: draw(3) > 0 ? OPEN : drawDates(draw),
    month: draw(6) > 0 ? OPEN : drawField(draw, 1, 12),
    weekday: draw(3) > 0 ? OPEN : drawWeekdays(draw),
    isBoth: draw(4) === 0,
  };
  const isFive = parts.second.length === 1 && textOf(parts.second) === "0";
  const fields = [
    ...(isFive && draw(2) === 0 ? [] : [textOf(parts.second)]),
    textOf(parts.minute),
    textOf(parts.hour),
    textOf(parts.date),
    textOf(parts.month, draw(2) === 0 ? MONTHS : undefined),
    (parts.isBoth ? "+" : "") + textOf(parts.weekday, draw(2) === 0 ? WEEKDAYS : undefined),
  ];
  return { ...parts, text: fields.join(" ") };
}

function range(from: number, length: number, step = 1): Item {
  return { kind: "range", from, to: from + length, step };
}

/** Mostly no seconds, and few otherwise: an occurrence in every second would only slow the test. */
function drawSeconds(draw: Draw): readonly Item[] {
  switch (draw(12)) {
    case 0:
      return [range(draw(60), 0), range(draw(60), 0)];
    case 1:
      return [{ kind: "all", step: 20 + draw(10) }];
    default:
      return [range(0, 0)];
  }
}

function drawField(draw: Draw, min: number, max: number): readonly Item[] {
  if (draw(4) === 0) return [{ kind: "all", step: 1 + draw(Math.floor((max - min) / 2)) }];
  return Array.from({ length: 1 + draw(3) }, () => {
    const from = min + draw(max - min + 1);
    const length = draw(2) === 0 ? 0 : draw(max - from + 1);
    return range(from, length, length > 0 && draw(2) === 0 ? 1 + draw(length) : 1);
  });
}

function drawDates(draw: Draw): readonly Item[] {
  switch (draw(6)) {
    case 0:
      return [{ kind: "fromEnd", before: draw(4) }];
    case 1:
      return [{ kind: "lastWorkday" }];
    case 2:
      return [{ kind: "nearest", date: 1 + draw(31) }];
    case 3:
      return [range(1 + draw(28), 0), { kind: "fromEnd", before: 0 }, { kind: "nearest", date: 1 + draw(31) }];
    default:
      return drawField(draw, 1, 31);
  }
}

function drawWeekdays(draw: Draw): readonly Item[] {
  const weekday = draw(7);
  if (draw(3) === 0) return [{ kind: "nth", weekday, nth: draw(3) === 0 ? "last" : 1 + draw(5) }];
  return drawField(draw, 0, 6);
}

function textOf(items: readonly Item[], names?: readonly string[]): string {
  const name = (number: number): string => names?.[number] ?? String(number);
  return items
    .map((item) => {
      switch (item.kind) {
        case "all":
          return item.step === 1 ? "*" : `*/${item.step}`;
        case "range": {
          const step = item.step === 1 ? "" : `/${item.step}`;
          return item.from === item.to ? name(item.from) : `${name(item.from)}-${name(item.to)}${step}`;
        }
        case "fromEnd":
          return item.before === 0 ? "L" : `L-${item.before}`;
        case "lastWorkday":
          return "LW";
        case "nearest":
          return `${item.date}W`;
        case "nth":
          return item.nth === "last" ? `${name(item.weekday)}L` : `${name(item.weekday)}#${item.nth}`;
      }
    })
    .join(",");
}
