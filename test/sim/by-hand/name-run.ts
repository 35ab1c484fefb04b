// The run that a client names after reading the execution: `?` is any stored run, `?<n>` the same run again for a
// repeated request.
import { isFinalRun } from "#schema/engine/run.ts";
import type { Chance } from "../kit/chance.ts";
import type { Host } from "../host.ts";
import type { Verb } from "../scenario.ts";
import type { Life } from "../kit/evictable.ts";

/** The run named in an execution that cannot be read. */
const FIRST = "1.0";

export async function nameRun(
  verb: Verb,
  outside: Life,
  host: Host,
  execution: string,
  chosen: Map<string, string>,
  chance: Chance,
): Promise<Verb> {
  const said = saidIn(verb);
  if (said === null) return verb;
  const known = chosen.get(said);
  const run = known ?? (await look(host, outside, execution, chance));
  if (said !== "?") chosen.set(said, run);
  if ("run" in verb) return { ...verb, run };
  return "target" in verb ? ({ ...verb, target: { run } } as Verb) : verb; // the target is now a run
}

function saidIn(verb: Verb): string | null {
  const run =
    "run" in verb
      ? verb.run
      : "target" in verb && verb.target !== null && "run" in verb.target
        ? verb.target.run
        : null;
  return run?.startsWith("?") ? run : null;
}

async function look(host: Host, outside: Life, execution: string, chance: Chance): Promise<string> {
  try {
    const read = await host.call(outside, (calls) => calls.read(execution));
    const open = read.ok ? read.value.runs.filter((run) => !isFinalRun(run.status) || run.deadLetter) : [];
    return open[chance.between(0, Math.max(0, open.length - 1))]?.id ?? FIRST;
  } catch {
    return FIRST;
  }
}
