// A run that failed for good, in a world of cells in memory: its execution, its dead letter, and what lists know of it.
import { applyProjections } from "#catalog/projections/projections.ts";
import { executionRow, runRow } from "#objects/execution/projections/catalog-rows.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { deadLetterId } from "#schema/ids.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import { api, must, order, shop, type Api } from "#test/support/api.ts";
import { projection } from "#test/support/catalog.ts";

type Owner = { readonly tenant: string; readonly key: string };
type More = {
  readonly definition?: string;
  readonly variables?: object;
  readonly correlationId?: string;
  readonly error?: Partial<ActionError>;
};

export async function deadLetter(made: Api, owner: Owner, { error, ...start }: More = {}) {
  const { key, tenant } = owner;
  const body = { definition: "order", ...start };
  const started = await must(201, made.ask("POST", "/v1/executions", { key, body }));
  const execution: string = started.body.execution.id;
  const cell = cellName(tenant, execution);
  const event = { id: "evt-paid", type: "paid", payload: { amount: 42 } };
  await must(200, made.ask("POST", `/v1/executions/${execution}/events`, { key, body: event }));
  const state = miss(made, cell, execution, error);
  const run = state.runs[0]?.id ?? "";
  const letter = { id: deadLetterId(execution, run), execution, run, cell };
  await project(made, letter);
  return letter;
}

/** The attempt under way is claimed, takes a second, and fails. */
export function miss(made: Api, cell: string, execution: string, error: Partial<ActionError> = {}): ExecutionState {
  const { clock } = made.world;
  const { runs } = made.cells.take(cell, execution, { kind: "tick" });
  const [run] = runs;
  if (run === undefined) throw new Error("it has no run");
  const { id, attempt } = run;
  made.cells.take(cell, execution, { kind: "claim", run: id, attempt, lane: "queue" });
  const startedAt = clock.now;
  clock.now += 1_000;
  const said = {
    type: "not_found",
    message: "POST example.com answered 404",
    retryable: false,
    code: "http_404",
    details: { status: 404, body: "no such hook" },
    ...error,
  };
  const outcome = { ok: false, error: said, startedAt, endedAt: clock.now } as const;
  return made.cells.take(cell, execution, { kind: "settle", run: id, attempt, outcome });
}

/** Lists hear of it. */
export async function project(made: Api, { cell, execution }: { readonly cell: string; readonly execution: string }) {
  const state = made.cells.take(cell, execution, { kind: "tick" });
  const runs = state.runs.map((run) => runRow(state, run));
  await applyProjections(made.world.db, [projection({ executions: [executionRow(state, made.world.now())], runs })]);
}

const heard = {
  ...order,
  name: "heard",
  states: {
    ...order.states,
    paid: { on: { "action.notify.ok": "done", "action.notify.failed": "unheard" } },
    unheard: { on: { "action.notify.ok": "done" } },
  },
};
const taken = {
  ...order,
  name: "taken",
  states: { ...order.states, paid: { on: { "action.notify.ok": "done", "action.notify.failed": "late" } } },
};
const urgent = {
  ...order,
  name: "urgent",
  actions: [
    { ...order.actions[0], priority: 95, maxLateness: "PT1H", config: { url: "{{ execution.variables.url }}" } },
  ],
};

/** A tenant with what may fail, and the few requests that tests of dead letters make. */
export async function letters() {
  const made = api();
  const owner = await shop(made);
  const { key } = owner;
  for (const body of [heard, taken, urgent]) await must(201, made.ask("POST", "/v1/definitions", { key, body }));
  const get = (path: string) => made.ask("GET", `/v1/dead-letters${path}`, { key });
  const post = (path: string, body?: unknown, headers = {}) =>
    made.ask("POST", path.startsWith("/v1") ? path : `/v1/dead-letters/${path}`, {
      key,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  const ids = async (query: string) =>
    (await must(200, get(query))).body.data.map(({ id }: { id: string }) => id) as string[];
  return { made, owner, get, post, ids };
}
