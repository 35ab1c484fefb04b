// How long an event that was posted waits where nobody has its key yet, as it is written.
import { z } from "zod";
import { duration } from "../definition/timing.ts";

export const keepPosted = z
  .union([z.literal(false), duration])
  .meta({ description: "How long it waits where nobody has the key yet: up to seven days, or `false`. Default: P1D." });
export type KeepPosted = z.infer<typeof keepPosted>;
