// Projection writes: writes the rows of many messages to the catalog together. If D1 refuses a batch because of its
// content, the batch is halved until the faulty row is alone. If D1 does not answer, or refuses too many rows, the
// caller retries the rows.
import { applyProjections } from "#catalog/projections/projections.ts";
import { PROJECTION_HALVINGS_MAX } from "#schema/limits/queues/message-sizes.ts";
import type { ProjectionMessage } from "#schema/engine/projection.ts";
import { isRowFault } from "#services/catalog-failure.ts";
import type { Deps } from "#services/deps.ts";

/** Rows of one message. `n`: the index of the message in the batch. */
export type Part = { readonly n: number; readonly body: ProjectionMessage };
export type RefusedPart = Part & { readonly fault: unknown };

/** The rows that were not written: `refused` by D1 because of their content, and `left` for a retry. */
export type WriteResult = { readonly refused: readonly RefusedPart[]; readonly left: readonly Part[] };

export async function writeProjections(
  deps: Pick<Deps, "db" | "log">,
  bodies: readonly ProjectionMessage[],
): Promise<WriteResult> {
  const [refused, left]: [RefusedPart[], Part[]] = [[], []];
  let halvings = 0;

  const write = async (parts: readonly Part[]): Promise<void> => {
    try {
      await applyProjections(
        deps.db,
        parts.map(({ body }) => body),
      );
    } catch (fault) {
      await lookInto(parts, fault);
    }
  };

  const lookInto = async (parts: readonly Part[], fault: unknown): Promise<void> => {
    const [first] = parts;
    const isAlone = first !== undefined && parts.length === 1 && sizeOf(first.body) <= 1;
    if (isRowFault(fault) && isAlone) return void refused.push({ ...first, fault });
    if (isRowFault(fault) && halvings < PROJECTION_HALVINGS_MAX) {
      halvings += 1;
      for (const half of halvesOf(parts)) await write(half);
      return;
    }
    deps.log({ level: "error", message: "projections not written", count: parts.length, error: String(fault) });
    left.push(...parts);
  };

  if (bodies.length > 0) await write(bodies.map((body, n) => ({ n, body })));
  return { refused, left };
}

function halvesOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const [first] = parts;
  if (first === undefined || parts.length > 1) {
    const middle = parts.length >> 1;
    return [parts.slice(0, middle), parts.slice(middle)];
  }
  const { n, body } = first;
  const middle = sizeOf(body) >> 1;
  return [[{ n, body: rowsOf(body, 0, middle) }], [{ n, body: rowsOf(body, middle, sizeOf(body)) }]];
}

function sizeOf({ executions, runs, audit, quarantined = [], recurring = [] }: ProjectionMessage): number {
  return executions.length + runs.length + audit.length + quarantined.length + recurring.length;
}

/**
 * Returns the rows of a message from index `from` up to, but without, index `to`. The index counts executions first,
 * then runs, audit rows, quarantines and recurring actions.
 */
function rowsOf(message: ProjectionMessage, from: number, to: number): ProjectionMessage {
  const { executions, runs, audit, quarantined = [], recurring = [] } = message;
  const before = executions.length + runs.length + audit.length;
  const part = <Row>(rows: readonly Row[], before: number): Row[] =>
    rows.slice(Math.max(0, from - before), Math.max(0, to - before));
  return {
    v: 1,
    executions: part(executions, 0),
    runs: part(runs, executions.length),
    audit: part(audit, executions.length + runs.length),
    quarantined: part(quarantined, before),
    recurring: part(recurring, before + quarantined.length),
  };
}
