// Reads a recurring action, as its object knows it.
import { accept, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { readRecurring, shown, type ShowRecurring, type ShownRecurring } from "./recurring-view.ts";

export async function getRecurring(
  deps: Deps,
  caller: TenantCaller,
  { language, ...name }: ShowRecurring,
): Promise<Result<ShownRecurring>> {
  const read = await readRecurring(deps, caller, name);
  return read.ok ? accept(shown(read.value, deps.now(), language)) : read;
}
