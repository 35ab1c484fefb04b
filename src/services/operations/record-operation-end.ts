// Tells the catalog how an operation ended. Telling twice is the same.
import { keepOperation } from "#catalog/operations.ts";
import type { OperationView } from "#schema/operation.ts";
import type { Deps } from "../deps.ts";
import { auditsOf, rowOf } from "./operation-view.ts";

export async function recordOperationEnd(deps: Pick<Deps, "db">, view: OperationView): Promise<void> {
  await keepOperation(deps.db, rowOf(view), auditsOf(view));
}
