// Applies every verb to every kind in every status, and prints whether it is accepted, or the refusal's code.
// scripts/record-golden.ts writes this table to the docs.
import { auditRows } from "#objects/execution/projections/catalog-rows.ts";
import type { ControlCommand } from "#schema/engine/cell.ts";
import type { Effect } from "#schema/engine/effect.ts";
import { ask, day, T0 } from "#test/support/drive.ts";
import { control, ID, paused, situations, type World } from "./situations.ts";

type Verb = Parameters<typeof ask.verb>[0];
type Kind = keyof typeof situations;
type Asked = (world: World) => ControlCommand;

const verb =
  (make: (world: World) => Verb): Asked =>
  (world) =>
    ask.verb(make(world)) as ControlCommand; // every verb is a control command
const at = T0 + 30 * day;

/** By kind of command, so that the compiler reports a missing kind. A command may have several entries. */
export const verbs: { readonly [kind in ControlCommand["kind"]]: { readonly [what: string]: Asked } } = {
  event: { events: () => ask.event("go") as ControlCommand },
  patch: { patch: () => ask.patch({ n: 1 }) as ControlCommand },
  pause: { pause: verb(() => ({ kind: "pause" })) },
  resume: { resume: verb(() => ({ kind: "resume" })) },
  cancel: { cancel: verb(() => ({ kind: "cancel" })) },
  runNow: {
    "run-now, a run": verb(({ run }) => ({ kind: "runNow", target: { run } })),
    "run-now, a timer": verb(({ timer }) => ({ kind: "runNow", target: { timer } })),
    "run-now, an action": verb(({ action }) => ({ kind: "runNow", target: { action } })),
  },
  retry: { retry: verb(({ run }) => ({ kind: "retry", run, config: null, variables: null })) },
  archive: { archive: verb(({ run }) => ({ kind: "archive", run })) },
  skip: {
    "skip, a run": verb(({ run }) => ({ kind: "skip", target: { run } })),
    "skip, a run, with a result": verb(({ run }) => ({ kind: "skip", target: { run }, result: { n: 1 } })),
    "skip, a node": verb(({ node }) => ({ kind: "skip", target: { node } })),
  },
  cancelAction: {
    "cancel-action": verb(() => ({ kind: "cancelAction", target: null })),
    "cancel-action, a run": verb(({ run }) => ({ kind: "cancelAction", target: { run } })),
    "cancel-action, a run, with a result": verb(({ run }) => ({
      kind: "cancelAction",
      target: { run },
      result: { n: 1 },
    })),
    "cancel-action, an action": verb(({ action }) => ({ kind: "cancelAction", target: { action } })),
  },
  reschedule: {
    "reschedule, a run": verb(({ run }) => ({ kind: "reschedule", target: { run }, at })),
    "reschedule, a timer": verb(({ timer }) => ({ kind: "reschedule", target: { timer }, at })),
  },
  hold: { hold: verb(({ run }) => ({ kind: "hold", run })) },
  release: { release: verb(({ run }) => ({ kind: "release", run })) },
  complete: {
    "complete, a run": verb(({ run }) => ({ kind: "complete", target: { run } })),
    "complete, a node": verb(({ node }) => ({ kind: "complete", target: { node } })),
  },
  desire: { "desired (PUT)": () => desire as ControlCommand },
  observe: { "observed (PUT)": () => observe as ControlCommand },
  erase: { DELETE: verb(() => ({ kind: "erase" })) },
};

const from = { inputId: "put", fingerprint: "f", actor: { kind: "key", id: "key_1" }, reason: null } as const;
const desire = { kind: "desire", desired: { on: true }, mode: "merge", ifRevision: null, ...from };
const observe = { kind: "observe", observed: { up: false, n: 2 }, observedAt: null, ifRevision: null, ...from };

/** One cell of the table, with the prediction of the dry run and the real result. */
export type Cell = { readonly says: string; readonly foretold: string; readonly made: string };

export async function cellOf(make: () => Promise<World>, asked: Asked): Promise<Cell> {
  const world = await make();
  const { cell } = world;
  // Sends the projections of the setup, so that they do not count as the verb's.
  await cell.wake();
  await cell.settled();
  const before = await journalOf(world);
  for (const list of [cell.sent, cell.projections, cell.published]) list.length = 0;
  const command = asked(world);
  const dry = await control(world, command, true);
  const untouched = JSON.stringify(await journalOf(world)) === JSON.stringify(before) && cell.sent.length === 0;
  if (!untouched) throw new Error("a dry run changed something");
  const real = await control(world, command);
  await cell.settled();
  const gained = cell.read(ID) === null ? cell.published : (await journalOf(world)).slice(before.length);
  if (!dry.ok || !real.ok) {
    const [foretold, made] = [dry, real].map((answer) => (answer.ok ? "accepted" : JSON.stringify(answer.refusal)));
    return { says: real.ok ? "accepted" : real.refusal.code, foretold: String(foretold), made: String(made) };
  }
  const { entries = [], effects = [], state } = dry.value;
  // The actor of a change is projected, even if the execution is not.
  const isProjected = effects.some(({ kind }) => kind === "project") || auditRows(state, entries).length > 0;
  const foretold = [...effects.flatMap(seenOf), ...(isProjected ? ["project"] : [])];
  const isTold = cell.projections.some(({ executions }) => executions.some(({ id }) => id === ID));
  const made = [...cell.sent, ...(isTold ? ["project"] : [])];
  return {
    says: "accepted",
    foretold: JSON.stringify([entries, foretold.toSorted(), state]),
    made: JSON.stringify([gained, made.toSorted(), real.value.state]),
  };
}

/** Direct calls are not made here, so no call is aborted; a purge shows as a missing execution. */
function seenOf(effect: Effect): readonly string[] {
  if (effect.kind === "dispatch") return [`${effect.lane} ${effect.run}#${effect.attempt}`];
  return effect.kind === "project" || effect.kind === "abort" || effect.kind === "purge" ? [] : [effect.kind];
}

async function journalOf({ cell }: World) {
  const page = await cell.calls().journal({ execution: ID, after: null, limit: 500 });
  return page.ok ? page.value.entries : [];
}

/** Prints the results side by side. A different result of the paused execution follows a slash. */
export async function verbTable(each: (cell: Cell, where: string) => void = () => {}): Promise<string> {
  const sections: string[] = [];
  for (const kind of Object.keys(situations) as Kind[]) sections.push(await sectionOf(kind, each));
  return `${head}\n${sections.join("\n\n")}\n`;
}

const head = `# Accepted verbs

The tables show which [verbs](../operate/verbs.md) an execution accepts. There is one table per kind of execution. Each column is a status
of the execution, or of the run that the verb names. A test generates this page and compares the dry run of each verb with the verb.

If a cell has a slash, the sign after the slash is the result while the execution is paused. Verbs with equal results share a row, and
statuses with equal results share a column.

| sign | result |
|---|---|
| ✓ | accepted |
| · | \`verb_not_applicable\`, with a \`hint\` |
| – | \`execution_final\` |
| P, U | \`execution_paused\`, \`execution_not_paused\` |
| R | \`run_not_startable\` |
| L | \`execution_live\` |
| N | \`not_found\` |
| E | \`event_unknown\` |
| Q | \`action_queue_full\` |
`;

const titles: { readonly [kind in Kind]: string } = {
  machine: "Machines",
  journey: "Journeys",
  reconciler: "Reconcilers",
  action: "Standalone actions",
};

type Line = { readonly names: readonly string[]; readonly marks: readonly string[] };

async function sectionOf(kind: Kind, each: (cell: Cell, where: string) => void): Promise<string> {
  const { live, ended } = situations[kind];
  const columns = [...Object.entries(live), ...Object.entries(ended)];
  const rows: Line[] = [];
  for (const [what, asked] of Object.values(verbs).flatMap((some) => Object.entries(some))) {
    const marks: string[] = [];
    for (const [situation, make] of columns) {
      const plain = await cellOf(make, asked);
      each(plain, `${kind}, ${situation}: ${what}`);
      const isLive = Object.hasOwn(live, situation);
      const held = isLive ? await cellOf(() => paused(make), asked) : plain;
      if (isLive) each(held, `${kind}, ${situation}, paused: ${what}`);
      marks.push(plain.says === held.says ? markOf(plain.says) : `${markOf(plain.says)}/${markOf(held.says)}`);
    }
    rows.push({ names: [what], marks });
  }
  const names = columns.map(([name]) => name);
  return `## ${titles[kind]}\n\n${tableOf(names, rows)}`;
}

function tableOf(names: readonly string[], rows: readonly Line[]): string {
  const merged = mergeEqual(rows);
  const columns = mergeEqual(
    names.map((name, index) => ({ names: [name], marks: merged.map(({ marks }) => marks[index] ?? "") })),
  );
  const lines = merged.map(
    (row, index) => `| ${row.names.join("; ")} | ${columns.map(({ marks }) => marks[index]).join(" | ")} |`,
  );
  const titleCells = columns.map((column) => column.names.join("; ")).join(" | ");
  return `| verb | ${titleCells} |\n|---|${columns.map(() => "---").join("|")}|\n${lines.join("\n")}`;
}

/** Merges lines with equal results at the position of the first. */
function mergeEqual(lines: readonly Line[]): readonly Line[] {
  const byMarks = new Map<string, Line>();
  for (const { names, marks } of lines) {
    const key = marks.join("|");
    byMarks.set(key, { names: [...(byMarks.get(key)?.names ?? []), ...names], marks });
  }
  return [...byMarks.values()];
}

const signs: { readonly [says: string]: string } = {
  accepted: "✓",
  verb_not_applicable: "·",
  execution_final: "–",
  execution_paused: "P",
  execution_not_paused: "U",
  run_not_startable: "R",
  execution_live: "L",
  not_found: "N",
  event_unknown: "E",
  action_queue_full: "Q",
};

function markOf(says: string): string {
  return signs[says] ?? `\`${says}\``;
}
