// What is printed: a line for each body or for the worst of each route while it runs, and the whole as a table of Markdown.
import type { MeasuredAtOnce } from "./at-once.ts";
import type { Measured, MeasuredBody, Percentiles } from "./measure.ts";
import { laneNames } from "./probe.ts";

export function linesOf(
  { route, bodies }: Measured,
  { all, limitMs }: { readonly all: boolean; readonly limitMs: number },
): readonly string[] {
  const shown = all ? bodies : bodies.filter((body) => body.heldMs > limitMs || body === worstOf(bodies));
  return shown.map((body) => {
    const mark = body.heldMs > limitMs ? "✗" : " ";
    const lanes = laneNames.map(
      (lane) => `${lane} ${cells(body.quiet[lane]).join("/")} → ${cells(body.meanwhile[lane]).join("/")} ms`,
    );
    const took = `${body.status} in ${body.tookMs.toFixed(0)} ms, of which ${body.ranMs.toFixed(0)} computing, ${body.answerBytes} bytes`;
    return `${mark} ${route.padEnd(56)} ${body.name.padEnd(34)} ${lanes.join(", ")}  ${took}`;
  });
}

export function tableOf(measured: readonly Measured[], limitMs: number): string {
  const rows = measured.flatMap(({ route, bodies }) => {
    const worst = worstOf(bodies);
    if (worst === null) return [];
    const held = bodies.filter(({ heldMs }) => heldMs > limitMs).length;
    const said = [
      `\`${route}\``,
      String(bodies.length),
      worst.name,
      ...laneNames.flatMap((lane) => [p99Of(worst.quiet[lane]), p99Of(worst.meanwhile[lane])]),
      worst.ranMs.toFixed(0),
    ];
    return [`| ${[...said, held === 0 ? "" : String(held)].join(" | ")} |`];
  });
  const head = [
    "route",
    "bodies",
    "the worst",
    ...laneNames.flatMap((lane) => [`${lane}, quiet p99`, "meanwhile"]),
    "computing, ms",
    `> ${limitMs} ms later`,
  ];
  return [`| ${head.join(" | ")} |`, `|${head.map(() => "---|").join("")}`, ...rows].join("\n");
}

export function tableAtOnce(measured: readonly MeasuredAtOnce[]): string {
  const rows = measured.map(({ name, senders, statuses, quiet, meanwhile }) => {
    const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
    const lanes = laneNames.flatMap((lane) => {
      const [before, during] = [quiet[lane], meanwhile[lane]];
      return [p99Of(before), p99Of(during), (during.p99 / before.p99).toFixed(1)];
    });
    return `| ${[name, String(senders), answers, ...lanes].join(" | ")} |`;
  });
  const head = [
    "request",
    "senders",
    "answers",
    ...laneNames.flatMap((lane) => [`${lane}, quiet p99`, "meanwhile", "×"]),
  ];
  return [`| ${head.join(" | ")} |`, `|${head.map(() => "---|").join("")}`, ...rows].join("\n");
}

function worstOf(bodies: readonly MeasuredBody[]): MeasuredBody | null {
  return bodies.toSorted((a, b) => b.heldMs - a.heldMs)[0] ?? null;
}

function cells(percentiles: Percentiles): readonly string[] {
  return [percentiles.p50.toFixed(1), p99Of(percentiles)];
}

/** A dash: no probe was under way. */
function p99Of({ p99, count }: Percentiles): string {
  return count === 0 ? "–" : p99.toFixed(1);
}
