// Whether everything is there that work needs: bindings, and the tables of this version. Nothing has to be made by hand,
// since a deploy makes it, so asking twice is asking once.
import { missingColumns } from "#catalog/worker.ts";
import { actionQueues } from "#schema/engine/installation.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";

export type Initialized = { readonly queues: readonly string[] };

export async function initializeStream(deps: Deps): Promise<Result<Initialized>> {
  const bindings = deps.installation.missingBindings();
  if (bindings.length > 0) return refuse(incomplete(`bindings: ${bindings.join(", ")}`, "Add them to wrangler.toml."));
  const columns = await missingColumns(deps.db);
  if (columns.length > 0) return refuse(incomplete(`columns: ${columns.join(", ")}`, "Apply the migrations."));
  return accept({ queues: actionQueues.map(({ queue }) => queue) });
}

function incomplete(what: string, todo: string) {
  return {
    code: "not_configured",
    message: `This installation lacks ${what}.`,
    hint: `${todo} Then deploy again: npm run deploy does both.`,
  } as const;
}
