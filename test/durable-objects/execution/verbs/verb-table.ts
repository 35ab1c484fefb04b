// Every verb asked of every kind in every status: accepted, or refused with which code. As text, for people: the page of the
// docs that shows it is made here (scripts/record-golden.ts).
import { auditRows } from "#objects/execution/projections/rows.ts";
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
    ask.verb(make(world)) as ControlCommand; // every verb is one
const at = T0 + 30 * day;

/** By the kind of command, so that the compiler asks for one that is new; each as often as it may name something else. */
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

/** What one cell of the table says, once it is known that the dry run has foretold it. */
export type Cell = { readonly says: string; readonly foretold: string; readonly made: string };

export async function cellOf(make: () => Promise<World>, asked: Asked): Promise<Cell> {
  const world = await make();
  const { cell } = world;
  // What the making has left to be told is none of the verb's.
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
  // Who did it goes to the catalog with the execution's row, whether it rests or not.
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

/** Nobody carries a run in flight here, so there is nobody to call off; a purge is seen by what is gone. */
function seenOf(effect: Effect): readonly string[] {
  if (effect.kind === "dispatch") return [`${effect.lane} ${effect.run}#${effect.attempt}`];
  return effect.kind === "project" || effect.kind === "abort" || effect.kind === "purge" ? [] : [effect.kind];
}

async function journalOf({ cell }: World) {
  const page = await cell.calls().journal({ execution: ID, after: null, limit: 500 });
  return page.ok ? page.value.entries : [];
}

/** Cells side by side, and where they differ the one of the paused execution after it. */
export async function verbTable(each: (cell: Cell, where: string) => void = () => {}): Promise<string> {
  const sections: string[] = [];
  for (const kind of Object.keys(situations) as Kind[]) sections.push(await section(kind, each));
  return `${head}\n${sections.join("\n\n")}\n`;
}

const head = `# Which verb is accepted when

Made by a test that brings executions of every kind to every status and asks each [verb](../operate/verbs.md) of them; it also sees to it that a
dry run of each foretells the entries and the effects that the verb then has.

\`✓\`: accepted. \`·\`: \`verb_not_applicable\`, whose \`hint\` says what to do instead. \`–\`: \`execution_final\`, it has ended. Everything else is
the code that it is refused with. After a slash: where the same execution is paused and that makes a difference. What is \`completed\`, \`failed\` or
\`canceled\` is the execution; the other columns are what becomes of the run that the verb names, or where the execution stands.
`;

const titles: { readonly [kind in Kind]: string } = {
  machine: "Machines",
  journey: "Journeys",
  reconciler: "Reconcilers",
  action: "Actions on their own",
};

async function section(kind: Kind, each: (cell: Cell, where: string) => void): Promise<string> {
  const { live, ended } = situations[kind];
  const columns = [...Object.entries(live), ...Object.entries(ended)];
  const rows: string[] = [];
  for (const [what, asked] of Object.values(verbs).flatMap((some) => Object.entries(some))) {
    const cells: string[] = [];
    for (const [situation, make] of columns) {
      const plain = await cellOf(make, asked);
      each(plain, `${kind}, ${situation}: ${what}`);
      const isLive = Object.hasOwn(live, situation);
      const held = isLive ? await cellOf(() => paused(make), asked) : plain;
      if (isLive) each(held, `${kind}, ${situation}, paused: ${what}`);
      cells.push(plain.says === held.says ? mark(plain.says) : `${mark(plain.says)} / ${mark(held.says)}`);
    }
    rows.push(`| ${what} | ${cells.join(" | ")} |`);
  }
  const names = columns.map(([name]) => name);
  const ruler = names.map(() => "---").join("|");
  return `## ${titles[kind]}\n\n| verb | ${names.join(" | ")} |\n|---|${ruler}|\n${rows.join("\n")}`;
}

function mark(says: string): string {
  if (says === "accepted") return "✓";
  if (says === "verb_not_applicable") return "·";
  return says === "execution_final" ? "–" : `\`${says}\``;
}
