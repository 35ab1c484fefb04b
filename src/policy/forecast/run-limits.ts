// The limits of one virtual run: quiet hours, limits by key and its subject's caps. Only runs of this virtual run count.
import type { VirtualRunSettings } from "#kernel/virtual/virtual-run.ts";
import type { TenantPolicy } from "#schema/policies/policy.ts";
import { quietHoursLimit } from "../gates/quiet-hours.ts";
import { openKeyLimits } from "../gates/by-key/virtual-limits.ts";
import { openStartLimits } from "../gates/by-key/virtual-starts.ts";
import { openCaps } from "../subject/open-caps.ts";

/** The only member of a virtual run. */
const MEMBER = 0;

export function openRunLimits(
  policies: readonly TenantPolicy[] = [],
): Required<Pick<VirtualRunSettings, "limits" | "attempted" | "startLimits">> {
  const [quiet, keys, caps] = [quietHoursLimit(policies), openKeyLimits(), openCaps()];
  const starts = openStartLimits();
  return {
    startLimits: (state, at) => starts.place(MEMBER, state, at),
    limits: (asked, state) => {
      const held = quiet(asked, state) ?? keys.pass(MEMBER, asked);
      if (held !== null) return held;
      const capped = caps(asked, state);
      if (capped !== null) keys.end(MEMBER, asked, asked.at, false);
      return capped;
    },
    attempted: (asked, { endedAt }) => keys.end(MEMBER, asked, endedAt, true),
  };
}
