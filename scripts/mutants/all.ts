// All mutants in one list.
import { calendarMutants } from "./cron.ts";
import { delayMutants } from "./delays.ts";
import { executionMutants } from "./executions.ts";
import { familyMutants } from "./families.ts";
import { gateMutants } from "./gates.ts";
import { operationMutants } from "./operations.ts";
import { journeyMutants } from "./journeys.ts";
import { longNodeMutants } from "./long-nodes.ts";
import { memoryMutants } from "./memory.ts";
import type { Mutant } from "./mistake.ts";
import { pollerMutants } from "./pollers.ts";
import { poolMutants } from "./pools.ts";
import { programMutants } from "./programs.ts";
import { reconcilerMutants } from "./reconcilers.ts";
import { retryMutants } from "./retries.ts";
import { attemptMutants } from "./attempts.ts";
import { newRunMutants } from "./new-runs.ts";
import { timeMutants } from "./time.ts";
import { verbMutants } from "./verbs.ts";
import { windowMutants } from "./windows.ts";

export const mutants: readonly Mutant[] = [
  ...executionMutants,
  ...memoryMutants,
  ...attemptMutants,
  ...newRunMutants,
  ...retryMutants,
  ...timeMutants,
  ...windowMutants,
  ...verbMutants,
  ...delayMutants,
  ...calendarMutants,
  ...programMutants,
  ...journeyMutants,
  ...longNodeMutants,
  ...reconcilerMutants,
  ...familyMutants,
  ...gateMutants,
  ...poolMutants,
  ...operationMutants,
  ...pollerMutants,
];
