// What becomes of a run: every situation it can be in, every input, and its execution active, paused or ended. As text, so
// that a person can read it down.
import { step } from "#kernel/execution/step.ts";
import { SETTLE_GRACE_MS } from "#schema/limits/run-attempts.ts";
import type { Command } from "#schema/engine/input.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { action, ask, drive, failure, hour, minute, success, T0, type Drive } from "#test/support/drive.ts";

const NOW = 10 * minute;
const OVERDUE = NOW + 30_000 + SETTLE_GRACE_MS;
const hold = { reason: "rate_limited", until: T0 + hour, connection: "mail" } as const;
const held = { ...failure(), held: hold } as ReturnType<typeof failure>;
/** Who has it in hand, and who gets the message after that. */
const by = { message: "m1", delivery: 1, arrival: "b1" };
const nextDelivery = { message: "m1", delivery: 2, arrival: "b2" };
const final = failure({ type: "malformed_request", retryable: false });

type Part = Parameters<typeof action>[1];

const one = (part: Part = {}): Drive =>
  drive({
    states: { a: { on: { leave: "b" } }, b: { on: { back: "a" } } },
    actions: [
      action("mail", {
        triggerState: "a",
        maxLateness: "PT2H",
        config: { to: "{{ execution.variables.to }}" },
        retryPolicy: { maxAttempts: 3, backoffStrategy: "fixed", baseDelay: 20 * minute },
        ...part,
      }),
    ],
  })
    .clock(NOW)
    .start({ to: "ada" });
const dead = () => one().take(ask.claim("1.0", 1, by)).settle("mail", final);

export const situations: { readonly [name: string]: () => Drive } = {
  "scheduled: waits for its time": () => one({ delay: "PT1H" }),
  "scheduled: held by its connection": () => one().take(ask.claim("1.0", 1, by)).settle("mail", held),
  "queued: sent": () => one(),
  "queued: sent once more, its object went down": () => one().take(ask.claim("1.0", 1, by)).take(ask.orphaned("1.0")),
  "queued: its second attempt": () => one({ retryPolicy: { baseDelay: 1 } }).miss("mail").tickAt(NOW + 1),
  "queued: a dead letter, sent again": () => dead().retry("mail"),
  "queued: a dead letter, changed and sent again": () => dead().retry("mail", { config: { to: "bo" } }),
  running: () => one().take(ask.claim("1.0", 1, by)),
  "running: its last attempt": () => one({ retryPolicy: { maxAttempts: 1 } }).take(ask.claim("1.0", 1, by)),
  "running: its last attempt, and then the execution pauses": () =>
    one({ retryPolicy: { maxAttempts: 1 }, onExhausted: "pause" }).take(ask.claim("1.0", 1, by)),
  "running: its last attempt, and then the execution fails": () =>
    one({ retryPolicy: { maxAttempts: 1 }, onExhausted: "fail" }).take(ask.claim("1.0", 1, by)),
  "running: unwanted": () => one({ onExhausted: "fail" }).take(ask.claim("1.0", 1, by)).event("leave"),
  retry: () => one().take(ask.claim("1.0", 1, by)).settle("mail", failure()),
  ok: () => one().ok("mail"),
  "failed: a dead letter": dead,
  "failed: let lie": () => dead().archive("mail"),
  "canceled: before it began": () => one().event("leave"),
  "canceled: in backoff": () => one().take(ask.claim("1.0", 1, by)).settle("mail", failure()).event("leave"),
  "canceled: failed when it was unwanted": () => one().take(ask.claim("1.0", 1, by)).event("leave").settle("mail", final),
  "skipped: too late": () => one().take(ask.claim("1.0", 1, by)).settle("mail", failure()).tickAt(3 * hour),
};

const standings: { readonly [name: string]: (t: Drive) => Drive } = {
  active: (t) => t,
  paused: (t) => (t.status === "paused" ? t : t.pause()),
  canceled: (t) => t.cancel(),
};

type Asked = { readonly at?: number; readonly command: Command };
const lastBegun = ({ attempts }: Run): number => attempts.at(-1)?.attempt ?? 1;

const inputs: { readonly [name: string]: (run: Run) => Asked } = {
  "claim: by its message's next delivery": ({ id, attempt }) => ({ command: ask.claim(id, attempt, nextDelivery) }),
  "claim: by another message": ({ id, attempt }) => ({ command: ask.claim(id, attempt, { ...by, message: "m2", arrival: "c1" }) }),
  "settle: ok": ({ id, attempt }) => ({ command: ask.settle(id, attempt, success()) }),
  "settle: failed, worth another try": ({ id, attempt }) => ({ command: ask.settle(id, attempt, failure()) }),
  "settle: failed for good": ({ id, attempt }) => ({ command: ask.settle(id, attempt, final) }),
  "settle: held": ({ id, attempt }) => ({ command: ask.settle(id, attempt, held) }),
  "late: ok, of the last attempt that began": (run) => ({
    command: ask.settle(run.id, lastBegun(run), success()),
    at: OVERDUE,
  }),
  "late: failed, of the last attempt that began": (run) => ({
    command: ask.settle(run.id, lastBegun(run), failure()),
    at: OVERDUE,
  }),
  "tick: two minutes on": () => ({ command: ask.tick(), at: NOW + 2 * minute }),
  "tick: four hours on, and too late": () => ({ command: ask.tick(), at: NOW + 4 * hour }),
  orphaned: ({ id }) => ({ command: ask.orphaned(id) }),
  undeliverable: ({ id, attempt }) => ({ command: ask.undeliverable(id, attempt) }),
  pause: () => ({ command: ask.pause() }),
  resume: () => ({ command: ask.resume() }),
  cancel: () => ({ command: ask.cancel() }),
  patch: () => ({ command: ask.patch({ to: "grace" }) }),
  "run now": ({ id }) => ({ command: ask.runNow({ run: id }) }),
  "retry: as it was": ({ id }) => ({ command: ask.retry(id) }),
  "retry: changed": ({ id }) => ({ command: ask.retry(id, { config: { to: "cy" } }) }),
  archive: ({ id }) => ({ command: ask.archive(id) }),
  "state left": () => ({ command: ask.event("leave") }),
};

export function runTable(): string {
  return `${Object.entries(situations)
    .map(([name, make]) => block(name, make))
    .join("\n\n")}\n`;
}

function block(name: string, make: () => Drive): string {
  const columns = Object.entries(standings).map(([standing, stand]) => {
    const found = stand(make());
    const cells = Object.values(inputs).map((input) => after(found, input));
    return [standing, `(${standingOf(found.state)})`, ...cells];
  });
  const labels = [name, "", ...Object.keys(inputs).map((input) => `  ${input}`)];
  return labels.map((label, at) => lineOf([label, ...columns.map((cells) => cells[at] ?? "")])).join("\n");
}

const WIDTHS = [60, 60, 60, 0];

function lineOf(cells: readonly string[]): string {
  return cells
    .map((cell, at) => cell.padEnd(WIDTHS[at] ?? 0))
    .join("")
    .trimEnd();
}

/** Nothing of `found` changes: each input is asked of the same state. */
function after(found: Drive, input: (run: Run) => Asked): string {
  const before = found.state;
  const { at = NOW, command } = input(theRun(before));
  const now = Math.max(before.updatedAt, T0 + at);
  const stepped = step(found.program, before, { ...command, now, room: 0 });
  if (!stepped.ok) return `- ${stepped.refusal.code}`;
  if (stepped.state === before) return "=";
  const is = standingOf(stepped.state);
  const sent = stepped.effects.flatMap((effect) => (effect.kind === "dispatch" ? [` > #${effect.attempt}`] : []));
  return (is === standingOf(before) && sent.length === 0 ? "same" : is) + sent.join("") + moved(before, stepped.state);
}

/** What became of its execution. Active or waiting follows from what its runs do. */
function moved(before: ExecutionState, { status, error }: ExecutionState): string {
  const isMoved = status !== before.status && !(isUnderWay(before.status) && isUnderWay(status));
  const isTold = error !== null && before.error === null;
  if (!isMoved && !isTold) return "";
  return ` [${status}${isTold ? `: ${error.type}` : ""}]`;
}

function isUnderWay(status: ExecutionState["status"]): boolean {
  return status === "active" || status === "waiting";
}

function theRun({ runs }: ExecutionState): Run {
  const [run] = runs;
  if (run === undefined) throw new Error("there is one");
  return run;
}

function standingOf(state: ExecutionState): string {
  const { status, attempt, reason, deadLetter, unwanted } = theRun(state);
  const more = [deadLetter ? "dead letter" : [], unwanted && status === "running" ? "unwanted" : [], reason ?? []].flat();
  return `${status} #${attempt}${more.length > 0 ? `, ${more.join(", ")}` : ""}`;
}
