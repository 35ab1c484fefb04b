// Health check: a shallow check shows only that the Worker answers. A deep check also queries D1, which lists and API
// keys need. Executions run without D1.
import type { Deps } from "../deps.ts";

export type Health = { readonly time: number; readonly checks: { readonly catalog: "ok" | "failed" } | null };

export async function checkHealth(deps: Deps, input: { readonly deep: boolean }): Promise<Health> {
  const time = deps.now();
  if (!input.deep) return { time, checks: null };
  try {
    await deps.db.$client.prepare("SELECT 1").run();
    return { time, checks: { catalog: "ok" } };
  } catch (cause) {
    deps.log({ level: "error", message: "the catalog does not answer", error: String(cause) });
    return { time, checks: { catalog: "failed" } };
  }
}
