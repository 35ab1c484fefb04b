// Deletes a trigger: its address takes nothing any more, and what was delivered to it is let go of. Executions that it has
// brought about go on.
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { deleteNamed, type DeleteNamed } from "../named/delete-named.ts";
import { triggerNoun, type TriggerRowView } from "./trigger-noun.ts";

export async function deleteTrigger(
  deps: Deps,
  caller: TenantCaller,
  input: DeleteNamed,
): Promise<Result<TriggerRowView>> {
  const deleted = await deleteNamed(deps, caller, triggerNoun, input);
  if (!deleted.ok || input.dryRun) return deleted;
  const { id } = deleted.value;
  try {
    await deps.trigger(`${caller.tenant}/${id}`).forget();
  } catch (cause) {
    // What it still holds goes after some days.
    deps.log({
      level: "warn",
      event: "trigger_not_cleared",
      tenant: caller.tenant,
      trigger: id,
      message: String(cause),
    });
  }
  return deleted;
}
