// A golden history: a definition and the inputs an execution got, with everything the kernel made of them when it was
// recorded. Replaying the inputs must give the same, for ever: executions that began under an old version go on under it.
import { compile } from "#kernel/programs/compile.ts";
import { step } from "#kernel/execution/step.ts";
import { definition as definitionSchema } from "#schema/definition/definition.ts";
import type { Effect } from "#schema/engine/effect.ts";
import type { Input } from "#schema/engine/input.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";

export type Recorded = {
  /** What became of each input: the state's seq after it, or the code it was refused with. */
  readonly answers: readonly (number | string)[];
  readonly effects: readonly (readonly Effect[])[];
  readonly entries: readonly JournalEntry[];
  readonly state: ExecutionState | null;
};

export type History = {
  readonly about: string;
  readonly definition: unknown;
  readonly inputs: readonly Input[];
  readonly recorded: Recorded;
};

export function replay({ definition, inputs }: Pick<History, "definition" | "inputs">): Recorded {
  const program = compile(definitionSchema.parse(definition));
  let state: ExecutionState | null = null;
  const answers: (number | string)[] = [];
  const effects: (readonly Effect[])[] = [];
  const entries: JournalEntry[] = [];
  for (const input of inputs) {
    const stepped = step(program, state, input);
    answers.push(stepped.ok ? stepped.state.seq : stepped.refusal.code);
    effects.push(stepped.ok ? stepped.effects : []);
    if (!stepped.ok) continue;
    entries.push(...stepped.entries);
    state = JSON.parse(JSON.stringify(stepped.state)) as ExecutionState; // written down and read again, as it lives
  }
  return { answers, effects, entries, state };
}

/** Where the engine writes a sentence for people: the message of an error, and why a step could not be made. */
const TEXT_FIELDS = new Set(["message", "fault"]);

/**
 * What a replay is compared by, as JSON. Sentences that the engine wrote itself are left out, because rewording them changes
 * nothing for executions under way: codes tell failures apart, and stay. A text that came with the definition or with an
 * input, such as a provider's message, is data, and stays as well.
 */
export function comparable({ definition, inputs }: Pick<History, "definition" | "inputs">, recorded: Recorded): string {
  const given = new Set<string>();
  JSON.stringify([definition, inputs], (_field, value: unknown) => {
    if (typeof value === "string") given.add(value);
    return value;
  });
  return JSON.stringify(recorded, (field, value: unknown) =>
    typeof value === "string" && TEXT_FIELDS.has(field) && !given.has(value) ? "(a sentence)" : value,
  );
}
