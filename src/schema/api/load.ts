// Asking for a load plan, on the wire; the plan itself is schema/load.ts, which its runner reads, too.
import { z } from "zod";
import { loadConfig } from "../load.ts";
import { actionBody } from "./action.ts";

export const planLoadBody = z.strictObject({ action: actionBody, config: loadConfig }).meta({
  id: "PlanLoad",
  examples: [
    {
      action: { type: "webhook", config: { url: "http://127.0.0.1:8788/sink/orders", payload: { order: 17 } } },
      config: { concurrency: 50, duration: "PT1M", rampUpTime: "PT10S" },
    },
  ],
});
export type PlanLoadBody = z.input<typeof planLoadBody>;
