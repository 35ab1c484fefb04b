// What is printed: a line for each body or for the worst of each route while it runs, and the whole as a table of Markdown.
import type { Measured, MeasuredBody } from "./measure.ts";

export function linesOf(
  { route, bodies }: Measured,
  { all, limitMs }: { readonly all: boolean; readonly limitMs: number },
): readonly string[] {
  const shown = all ? bodies : bodies.filter((body) => body.heldMs > limitMs || body === worstOf(bodies));
  return shown.map((body) => {
    const mark = body.heldMs > limitMs ? "✗" : " ";
    const [quiet, meanwhile] = [cells(body.quiet), cells(body.meanwhile)];
    const took = `${body.status} in ${body.tookMs.toFixed(0)} ms, of which ${body.ranMs.toFixed(0)} computing, ${body.answerBytes} bytes`;
    return `${mark} ${route.padEnd(56)} ${body.name.padEnd(34)} ${quiet.join("/")} → ${meanwhile.join("/")} ms  ${took}`;
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
      ...cells(worst.quiet),
      ...cells(worst.meanwhile),
      worst.ranMs.toFixed(0),
    ];
    return [`| ${[...said, held === 0 ? "" : String(held)].join(" | ")} |`];
  });
  const head = [
    "route",
    "bodies",
    "the worst",
    "quiet p50",
    "p99",
    "meanwhile p50",
    "p99",
    "computing, ms",
    `> ${limitMs} ms later`,
  ];
  return [`| ${head.join(" | ")} |`, `|${head.map(() => "---|").join("")}`, ...rows].join("\n");
}

function worstOf(bodies: readonly MeasuredBody[]): MeasuredBody | null {
  return bodies.toSorted((a, b) => b.heldMs - a.heldMs)[0] ?? null;
}

function cells({ p50, p99 }: MeasuredBody["quiet"]): readonly string[] {
  return [p50.toFixed(1), p99.toFixed(1)];
}
