// Scenarios of permanently failed runs: an operator retries them, unchanged or edited, or archives them.
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import type { Standalone } from "#schema/definition/standalone.ts";
import type { Chance } from "./kit/chance.ts";
import { act, HOUR, MINUTE, rest, SECOND, type Scenario, type Script, type Verb } from "./scenario.ts";

/** Enough attempts to outlive the faults once the cause is removed, and few enough to give up within two hours. */
const stubborn = { maxAttempts: 20, baseDelay: SECOND, maxDelay: 30 * SECOND } as const;

const doomed = (triggerState: string) => act("doomed", triggerState, { config: { doom: true }, retryPolicy: stubborn });

const retry = (config: { doom: boolean } | null, more: { force?: true } = {}): Verb => ({
  kind: "retry",
  run: "1.0",
  config,
  variables: null,
  ...more,
});

function script(execution: string, ...verbs: readonly Verb[]): Script {
  return { execution, steps: verbs.map((verb, at) => ({ atMs: 2 * HOUR * (at + 1), verb })) };
}

export const pausedByFailure = (): Scenario => ({
  ...rest,
  definition: {
    kind: "machine",
    name: "paused_by_failure",
    initial: "try",
    states: { try: { on: { "action.doomed.ok": "end" } }, end: { type: "final" } },
    actions: [act("doomed", "try", { config: { doom: true }, retryPolicy: { maxAttempts: 3 }, onExhausted: "pause" })],
  },
});

export const redriven = (): Scenario => ({
  ...rest,
  jumpMsMax: 5 * MINUTE,
  scripts: [script("exe_sim", retry(null), retry({ doom: false }))],
  definition: {
    kind: "machine",
    name: "redriven",
    initial: "try",
    states: { try: { on: { "action.doomed.ok": "end" } }, end: { type: "final" } },
    actions: [doomed("try")],
  },
});

/**
 * The execution has ended because of the failure. The retry is refused at first, and its effect is needed nevertheless.
 */
export const redrivenAfterEnd = (): Scenario => ({
  ...rest,
  jumpMsMax: 5 * MINUTE,
  scripts: [script("exe_sim", retry(null), retry({ doom: false }, { force: true }))],
  definition: {
    kind: "machine",
    name: "redriven_after_end",
    initial: "try",
    states: { try: { on: { "action.doomed.failed": "end" } }, end: { type: "final" } },
    actions: [doomed("try")],
  },
});

/** The dead letter is retried after the normal retention; the outcome is still reported. */
export const redrivenLate = (chance: Chance): Scenario => {
  const steps: Script["steps"] = [retry(null), { kind: "archive", run: "1.0" } as const].map((verb, at) => ({
    atMs: (8 * at + chance.between(4, 10)) * MINUTE,
    verb,
  }));
  const hasty = { ...doomed("try"), retryPolicy: { maxAttempts: 2, baseDelay: SECOND } };
  return {
    ...rest,
    jumpMsMax: 5 * MINUTE,
    scripts: [{ execution: "exe_sim", steps }],
    definition: {
      kind: "machine",
      name: "redriven_late",
      retention: "PT3M",
      initial: "try",
      states: { try: { on: { "action.doomed.failed": "end" } }, end: { type: "final" } },
      actions: [hasty],
    },
  };
};

/** Standalone actions: one is edited and retried, one is archived, and one expires. */
export const alone = (): Scenario => {
  const standalone: Standalone = { action: doomed("act"), dedup: null };
  return {
    ...rest,
    jumpMsMax: 5 * MINUTE,
    starts: [{ atMs: 0, executions: ["exe_sim0_p1", "exe_sim1_p1", "exe_sim2_p1"] }],
    standalone,
    definition: oneActionProgram(standalone).definition,
    scripts: [
      script("exe_sim0_p1", retry({ doom: false })),
      script("exe_sim1_p1", retry(null), { kind: "archive", run: "1.0" }),
    ],
  };
};
