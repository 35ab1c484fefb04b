// Sandbox scripts: has the sandbox simulate the plan's receivers, and deletes its scripts afterwards.
import type { LoadPlan, LoadScenario } from "#schema/load.ts";
import { connect } from "./http.ts";

export type StoredScripts = {
  readonly plan: LoadPlan;
  /** The scenarios that were left out, with the reason. */
  readonly notes: readonly string[];
  readonly clear: () => Promise<void>;
};

export async function storeScripts(plan: LoadPlan): Promise<StoredScripts> {
  const tried = await Promise.all(
    plan.scenarios.map(async (scenario) => ({ scenario, fault: await storeScript(scenario) })),
  );
  const playable = tried.flatMap(({ scenario, fault }) => (fault === null ? [scenario] : []));
  const notes = tried.flatMap(({ scenario: { name }, fault }) =>
    fault === null ? [] : [`${name} left out: ${fault}`],
  );
  const clear = async () => {
    await Promise.all(playable.map(deleteScript));
  };
  return { plan: { ...plan, scenarios: playable }, notes, clear };
}

/** Stores a scenario's script in the sandbox. Returns the reason if that fails, or null. */
async function storeScript({ sandbox }: LoadScenario): Promise<string | null> {
  if (sandbox === null) return null;
  const { ask, close } = connect(sandbox.origin, {}, 1);
  const { status, body } = await ask("PUT", "/_control/scripts", sandbox.script);
  close();
  if (status === 200) return null;
  const said = status === 0 ? String(body) : `it answered ${status}`;
  return `there is no sandbox at ${sandbox.origin} (${said}); npm start runs one, and --sandbox sets its address`;
}

async function deleteScript({ sandbox }: LoadScenario): Promise<void> {
  if (sandbox === null) return;
  const { ask, close } = connect(sandbox.origin, {}, 1);
  const { path } = sandbox.script;
  if (typeof path === "string") await ask("DELETE", `/_control/scripts?path=${encodeURIComponent(path)}`);
  close();
}
