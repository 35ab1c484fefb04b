// Deletes a connection. Its object forgets breaker and token; runs that name it fail with invalid_configuration.
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { deleteNamed, type DeleteNamed } from "../named/delete-named.ts";
import { connectionNoun, type ConnectionView } from "./connection-noun.ts";

export async function deleteConnection(
  deps: Deps,
  caller: TenantCaller,
  input: DeleteNamed,
): Promise<Result<ConnectionView>> {
  const deleted = await deleteNamed(deps, caller, connectionNoun, input);
  if (!deleted.ok || input.dryRun) return deleted;
  const { id } = deleted.value;
  try {
    await deps.gate(`${caller.tenant}/${id}`).forget();
  } catch (cause) {
    // It is never asked again: what it still holds is sealed, and harmless.
    deps.log({
      level: "warn",
      message: "a deleted connection's object was not cleared",
      connection: id,
      error: String(cause),
    });
  }
  return deleted;
}
