// What a run has still to pass before it goes out, in one sentence each. What lets everything through is not worth one.
import { iso } from "#kernel/execution/current-step.ts";
import type { Meets } from "#schema/explanation/meets.ts";

export function meetsSays(meets: readonly Meets[]): string {
  return meets.map((each) => (says(each) === "" ? "" : ` ${says(each)}`)).join("");
}

function says(met: Meets): string {
  switch (met.limit) {
    case "window":
      if (met.would === "skip") return "Its window opens only when it is not wanted any more.";
      return met.until === null ? "" : `Its window will be closed then, and hold it until ${iso(met.until)}.`;
    case "cap": {
      const { cap, max, per, subject, over } = met;
      const above = over === "skip" ? ", and skips what is above that" : "";
      return `The cap ${cap} lets ${max} ${per === null ? "a day" : `in ${per}`} through to ${subject ?? "nobody"}${above}.`;
    }
    case "connection":
      return connectionSays(met);
  }
}

function connectionSays({ connection, rateLimit, concurrency, gate }: Extract<Meets, { limit: "connection" }>): string {
  const rate = rateOf(rateLimit);
  const atOnce = concurrency === undefined ? [] : [`${concurrency} at once`];
  const limits = [...rate, ...atOnce];
  const lets = limits.length === 0 ? "" : `, which lets ${limits.join(" and ")} through`;
  const { breaker, attention = null } = gate ?? { breaker: null };
  const cut = breaker?.status === "open" ? [`its breaker is open until ${iso(Number(breaker.until))}`] : [];
  const refused = attention === null ? [] : ["its provider refuses the account"];
  const now = [...cut, ...refused];
  return `It goes over ${connection}${lets}${now.length === 0 ? "" : `; just now ${now.join(", and ")}`}.`;
}

function rateOf(rate: Extract<Meets, { limit: "connection" }>["rateLimit"]): readonly string[] {
  if (rate === undefined) return [];
  return [rate.perSecond === undefined ? `${rate.perMinute} a minute` : `${rate.perSecond} a second`];
}
