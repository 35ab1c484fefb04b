// Definitions that cells store: a start leaves out a definition that its cell already stores. A definition may have 256
// KB and be the same for thousands of starts. A cell that no longer stores it requests it again, which costs one more
// call.
import type { Cell, Reply, StartItem } from "#schema/engine/cell.ts";
import { remembered } from "#schema/limits/isolates.ts";
import type { Result } from "#schema/refusal.ts";

type Answers = readonly Result<Reply>[];

/** The definitions that each cell is known to store, by cell and version. The most recently confirmed is last. */
const kept = new Set<string>();

export async function startWithStoredDefinitions(
  cell: Pick<Cell, "start">,
  name: string,
  items: readonly StartItem[],
): Promise<Answers> {
  const each = items.map((item) => ({ item, key: keyOf(name, item) }));
  const answers = await cell.start(each.map(({ item, key }) => (kept.has(key) ? without(item) : item)));
  const wanted = each.filter((_, at) => isWanted(answers[at]));
  for (const { key } of wanted) kept.delete(key);
  const again = wanted.length === 0 ? [] : await cell.start(wanted.map(({ item }) => item));
  const second = again.values();
  return each.flatMap(({ item, key }, at) => {
    const answer = isWanted(answers[at]) ? second.next().value : answers[at];
    if (answer?.ok && answer.value.keepsDefinition) learn(item, key);
    return answer ?? [];
  });
}

function keyOf(name: string, { command: { definition } }: StartItem): string {
  return `${name}\n${definition.id}@${definition.version}`;
}

function without({ definition: _kept, ...item }: StartItem): StartItem {
  return item;
}

function isWanted(answer: Result<Reply> | undefined): boolean {
  return answer?.ok === false && answer.refusal.details?.["definitionWanted"] === true;
}

/**
 * Records that the cell stores the definition. A cell with a single execution is hardly ever called with a second
 * start, so it is not recorded.
 */
function learn({ command }: StartItem, key: string): void {
  if (command.placement === "own" || kept.has(key)) return;
  for (const oldest of kept) {
    if (kept.size < remembered.keptDefinitions.sizeMax) break;
    kept.delete(oldest);
  }
  kept.add(key);
}
