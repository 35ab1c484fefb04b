// The limits of one virtual run: its limits by key and its subject's caps. Only runs of this virtual run count.
import type { VirtualRunSettings } from "#kernel/virtual/virtual-run.ts";
import { openKeyLimits } from "../gates/by-key/virtual-limits.ts";
import { openCaps } from "../subject/open-caps.ts";

/** The only member of a virtual run. */
const MEMBER = 0;

export function openRunLimits(): Required<Pick<VirtualRunSettings, "limits" | "attempted">> {
  const [keys, caps] = [openKeyLimits(), openCaps()];
  return {
    limits: (asked, state) => {
      const held = keys.pass(MEMBER, asked);
      if (held !== null) return held;
      const capped = caps(asked, state);
      if (capped !== null) keys.end(MEMBER, asked, asked.at, false);
      return capped;
    },
    attempted: (asked, { endedAt }) => keys.end(MEMBER, asked, endedAt, true),
  };
}
