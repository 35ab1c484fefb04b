// Starts in cells: the last step of a start. It groups the items by cell and makes one call to each cell. It leaves out
// a definition that the cell already stores, because a definition may have 256 KB and thousands of starts may use it.
import type { Cell, Reply, StartItem } from "#schema/engine/cell.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import { callWithRetry, failedItem } from "../cells/call-cell.ts";
import { cellName } from "../cells/ids-and-cells.ts";
import { previewStart } from "./preview-start.ts";
import { placeStarted, type StartPlaceDeps } from "./start-places.ts";

export type CellStartDeps = StartPlaceDeps;
type Replies = readonly Result<Reply>[];

export const noReply = { code: "unavailable", message: "The execution's object returned no answer." } as const;

/**
 * Starts the items, or previews them on a dry run. Returns one reply for each item; the reply to a refused item is its
 * refusal.
 */
export async function startInCells(
  deps: CellStartDeps,
  tenant: string,
  items: readonly Result<StartItem>[],
  dryRun: boolean,
): Promise<Replies> {
  const replies: Result<Reply>[] = items.map((item) => (item.ok ? refuse(noReply) : item));
  const accepted = items.flatMap((item, index) => (item.ok ? [{ index, item: item.value }] : []));
  const cells = Map.groupBy(accepted, ({ item }) => cellName(tenant, item.command.execution));
  await Promise.all(
    Array.from(cells, async ([cell, members]) => {
      const ofCell = members.map(({ item }) => item);
      const answers = await startInCell(deps, cell, ofCell, dryRun).catch((fault: unknown) => {
        // If the request has only one item, the item's exception is thrown as the exception of the request.
        if (items.length === 1) throw fault;
        const failed = failedItem(deps, { cell, count: ofCell.length }, fault);
        return ofCell.map(() => failed);
      });
      members.forEach(({ index }, n) => (replies[index] = answers[n] ?? refuse(noReply)));
    }),
  );
  return dryRun ? replies : placeStarted(deps, tenant, replies);
}

async function startInCell(
  deps: CellStartDeps,
  cell: string,
  items: readonly StartItem[],
  dryRun: boolean,
): Promise<Replies> {
  if (dryRun) return items.map((item) => previewStart(deps, item));
  const replies = await callWithRetry(() => startWithStoredDefinitions(deps.cell(cell), cell, items));
  return replies.ok ? replies.value : items.map(() => replies);
}

/**
 * The definitions that cells are known to store, by cell and version. The entry that was confirmed last is at the end.
 */
const storedDefinitions = new Set<string>();

/**
 * Calls the cell. If the cell does not store a definition that was left out, it requests the definition, and the call
 * is repeated with it.
 */
export async function startWithStoredDefinitions(
  cell: Pick<Cell, "start">,
  name: string,
  items: readonly StartItem[],
): Promise<Replies> {
  const keyed = items.map((item) => ({ item, key: definitionKey(name, item) }));
  const first = await cell.start(
    keyed.map(({ item, key }) => (storedDefinitions.has(key) ? withoutDefinition(item) : item)),
  );
  const incomplete = keyed.filter((_, n) => isDefinitionRequested(first[n]));
  for (const { key } of incomplete) storedDefinitions.delete(key);
  const second = incomplete.length === 0 ? [] : await cell.start(incomplete.map(({ item }) => item));
  const completed = second.values();
  return keyed.flatMap(({ item, key }, n) => {
    const reply = isDefinitionRequested(first[n]) ? completed.next().value : first[n];
    if (reply?.ok && reply.value.keepsDefinition) recordStored(item, key);
    return reply ?? [];
  });
}

function definitionKey(cell: string, { command: { definition } }: StartItem): string {
  return `${cell}\n${definition.id}@${definition.version}`;
}

function withoutDefinition({ definition: _stored, ...item }: StartItem): StartItem {
  return item;
}

function isDefinitionRequested(reply: Result<Reply> | undefined): boolean {
  return reply?.ok === false && reply.refusal.details?.["definitionWanted"] === true;
}

/**
 * Records that the cell stores the definition. A cell with a single execution hardly ever gets another start, so
 * nothing is recorded for it.
 */
function recordStored({ command }: StartItem, key: string): void {
  if (command.placement === "own" || storedDefinitions.has(key)) return;
  for (const oldest of storedDefinitions) {
    if (storedDefinitions.size < isolateCaches.keptDefinitions.sizeMax) break;
    storedDefinitions.delete(oldest);
  }
  storedDefinitions.add(key);
}
