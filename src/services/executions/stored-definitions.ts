// Stored definitions of cells: starts leave out a definition that their cell already stores, because it may be 256 KB
// and the same for thousands of starts. A cell that has deleted it since requests it again, which costs one more call.
import type { Cell, Reply, StartItem } from "#schema/engine/cell.ts";
import { remembered } from "#schema/limits/isolates.ts";
import type { Result } from "#schema/refusal.ts";

type Answers = readonly Result<Reply>[];

/** By cell and version, the most recently confirmed last. */
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

/** A standalone execution's cell is hardly ever started twice. */
function learn({ command }: StartItem, key: string): void {
  if (command.placement === "own" || kept.has(key)) return;
  for (const oldest of kept) {
    if (kept.size < remembered.keptDefinitions.sizeMax) break;
    kept.delete(oldest);
  }
  kept.add(key);
}
