// What is metered has been carried out when lists say so, which is the last that happens to it.
import { bindings, until, type Engine } from "#test/flows/engine.ts";

const WITHIN_MS = 20_000;

/** So many executions of the tenant have come to that end in the list. Gives the ids of those that were started now. */
export async function carriedOut(
  { tenant }: Engine,
  start: () => Promise<readonly string[]>,
  total: number,
  status = "completed",
): Promise<readonly string[]> {
  const ids = await start();
  const counted = bindings.DB.prepare("SELECT count(*) AS total FROM executions WHERE tenant = ? AND status = ?");
  await until(
    `${total} ${status} executions in the list`,
    async () => ((await counted.bind(tenant, status).first<number>("total")) === total ? true : null),
    WITHIN_MS,
  );
  return ids;
}
