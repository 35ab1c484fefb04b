// Event waits: how long a published event waits for an execution with its key, as written in requests.
import { z } from "zod";
import { duration } from "../definition/timing.ts";

export const eventWait = z
  .union([z.literal(false), duration])
  .meta({
    description:
      "How long the event waits for an execution with the key: up to seven days, or `false` for not at all. Default: P1D.",
  });
export type EventWait = z.infer<typeof eventWait>;
