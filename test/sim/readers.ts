// Read-only clients: they read states and journals and send dry runs while the world runs. Everything they read must
// have been committed, and reading must change nothing.
import type { Calls } from "#objects/execution/calls.ts";
import type { JournalPage, JournalQuery, Reply } from "#schema/engine/cell.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { Result } from "#schema/refusal.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import type { Chance } from "./kit/chance.ts";
import { TENANT } from "./clients.ts";
import type { Host } from "./host.ts";
import type { Oracle } from "./oracle.ts";
import { BEGIN, MINUTE, type Scenario } from "./scenario.ts";
import type { Timeline } from "./kit/timeline.ts";
import type { Life } from "./kit/evictable.ts";

type Parts = {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly host: (name: string) => Host;
  readonly oracle: Oracle;
};

const LOOKS = 12;
const PAGE = 3;
const actor = { kind: "key", id: "key_onlooker" } as const;

export function letOnlookersLook(scenario: Scenario, { timeline, chance, host, oracle }: Parts): void {
  if (scenario.isWatched !== true) return;
  const outside: Life = { alive: true };

  const look = async (execution: string, number: number): Promise<void> => {
    const cell = host(cellName(TENANT, execution));
    const ask = <T>(work: (calls: Calls) => Promise<T>): Promise<T> => cell.call(outside, work);
    const known = oracle.seen.get(execution)?.entries.length ?? 0;
    const read = await ask((calls) => calls.read(execution));
    if (!read.ok) return;
    const journal = await readAll(ask, execution);
    const truth = oracle.seen.get(execution)?.entries ?? [];
    if (journal.length < known || !isBeginning(journal, truth))
      oracle.broken(`${execution}: the journal was read as something it is not`);
    const ofStep = await ask((calls) => calls.journal({ execution, after: null, limit: 100, seq: read.value.seq }));
    if (ofStep.ok && ofStep.value.entries.some(({ seq }) => seq !== read.value.seq))
      oracle.broken(`${execution}: the entries of step ${read.value.seq} are not its own`);
    const answers = await ask((calls) => calls.control(mixedItems(execution, `look-${execution}-${number}`)));
    for (const problem of dryRunProblems(answers)) oracle.broken(`${execution}: ${problem}`);
  };

  for (const execution of scenario.starts.flatMap(({ executions }) => executions)) {
    for (let number = 0; number < LOOKS; number++) {
      // A lost read is not repeated.
      timeline.at(BEGIN + chance.between(0, 30 * MINUTE), () => void look(execution, number).catch(() => {}));
    }
  }
}

async function readAll(
  ask: <T>(work: (calls: Calls) => Promise<T>) => Promise<T>,
  execution: string,
): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  let after: string | null = null;
  do {
    const query: JournalQuery = { execution, after, limit: PAGE };
    const page: Result<JournalPage> = await ask((calls) => calls.journal(query));
    if (!page.ok) throw new Error(page.refusal.message);
    entries.push(...page.value.entries);
    after = page.value.nextCursor;
  } while (after !== null);
  return entries;
}

function isBeginning(read: readonly JournalEntry[], truth: readonly JournalEntry[]): boolean {
  return read.every(({ seq, n, kind }, at) => {
    const entry = truth[at];
    return entry !== undefined && entry.seq === seq && entry.n === n && entry.kind === kind;
  });
}

/**
 * Dry runs and real commands in one call: each response must be that of its own command. The patch sets the current
 * value.
 */
function mixedItems(execution: string, inputId: string): Parameters<Calls["control"]>[0] {
  const cancel = { kind: "cancel", inputId: `${inputId}-dry`, fingerprint: "dry", actor, reason: null } as const;
  const patch = { inputId, fingerprint: inputId, actor, reason: inputId };
  return [
    { execution, command: cancel, dryRun: true },
    { execution, command: { kind: "patch", variables: { looked: true }, ...patch }, dryRun: false },
    { execution, command: cancel, dryRun: true },
  ];
}

function dryRunProblems([before, wet, after]: readonly Result<Reply>[]): readonly string[] {
  const isDry = (answer: Result<Reply> | undefined): boolean =>
    !answer?.ok || (answer.value.state.status === "canceled" && (answer.value.entries ?? []).length > 0);
  const isWet = !wet?.ok || (wet.value.state.status !== "canceled" && wet.value.entries === undefined);
  return [
    ...(isDry(before) && isDry(after) ? [] : ["a dry run did not say what a cancel would do"]),
    ...(isWet ? [] : ["a patch was answered as if it had been canceled"]),
  ];
}
