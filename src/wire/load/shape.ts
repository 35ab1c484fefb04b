// Load plan requests: API shapes. The shape of the plan itself is in schema/load.ts, because a script outside of the
// Worker also reads plans.
import { z } from "zod";
import { loadConfig } from "#schema/load.ts";
import { actionBody } from "../actions/shape.ts";

export const planLoadBody = z
  .strictObject({ action: actionBody, config: loadConfig })
  .meta({
    id: "PlanLoad",
    examples: [
      {
        action: {
          type: "slack",
          config: { channel: "#orders", text: "Order {{ execution.variables.n }} for {{ execution.variables.who }}" },
        },
        config: { concurrency: 50, duration: "PT1M", rampUpTime: "PT10S", draw: { who: ["Ada", "Grace"] } },
      },
    ],
  });
export type PlanLoadBody = z.input<typeof planLoadBody>;
