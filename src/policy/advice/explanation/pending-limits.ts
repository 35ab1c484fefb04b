// Writes sentences about the limits that a run has not passed yet. A limit that does not delay the run gets no
// sentence.
import { iso } from "#kernel/execution/current-step.ts";
import type { PendingLimit } from "#schema/explanation/pending-limits.ts";

export function pendingLimitSentences(meets: readonly PendingLimit[]): string {
  return meets.map((each) => (limitSentence(each) === "" ? "" : ` ${limitSentence(each)}`)).join("");
}

function limitSentence(pending: PendingLimit): string {
  switch (pending.limit) {
    case "window":
      if (pending.would === "skip") return "The opening hours of the run begin only after the run has expired.";
      return pending.until === null
        ? ""
        : `The run will be due outside its opening hours. The engine then holds the run until ${iso(pending.until)}.`;
    case "cap": {
      const { cap, max, per, subject, over, opensAt = null } = pending;
      const free = opensAt === null ? "" : `; the next slot is free at ${iso(opensAt)}`;
      const above = `${free}${over === "skip" ? "; the engine skips further runs" : ""}`;
      return `The cap ${cap} limits messages to ${max} ${per === null ? "a day" : `in ${per}`} for ${subject === null ? "each subject" : `the subject ${subject}`}${above}.`;
    }
    case "key":
      return keyLimitSentence(pending);
    case "connection":
      return connectionSentence(pending);
  }
}

function keyLimitSentence(pending: Extract<PendingLimit, { limit: "key" }>): string {
  const { name, key, concurrency, rate, throttle, debounce, singleton } = pending;
  const terms = [
    ...(concurrency === undefined ? [] : [`a concurrency of ${concurrency}`]),
    ...(rate === undefined ? [] : [`${rate.max} runs in ${rate.per}; the engine skips further runs`]),
    ...(throttle === undefined ? [] : [`${throttle.max} runs in ${throttle.per}`]),
    ...(debounce === undefined ? [] : [`the newest run after ${debounce.for} without another`]),
    ...(singleton === undefined ? [] : ["one run at a time"]),
  ];
  return `The limit ${name} allows ${terms.join(", and ")} for ${key === null ? "each key" : `the key ${key}`}.`;
}

function connectionSentence({
  connection,
  rateLimit,
  concurrency,
  gate,
}: Extract<PendingLimit, { limit: "connection" }>): string {
  const rate = rateOf(rateLimit);
  const atOnce = concurrency === undefined ? [] : [`a concurrency of ${concurrency}`];
  const limits = [...rate, ...atOnce];
  const allowed = limits.length === 0 ? "" : `, which allows only ${limits.join(" and ")}`;
  const { breaker, attention = null } = gate ?? { breaker: null };
  const breakerOpen =
    breaker?.status === "open" ? [`its circuit breaker is open until ${iso(Number(breaker.until))}`] : [];
  const rejected = attention === null ? [] : ["the provider rejects the connection's account"];
  const problems = [...breakerOpen, ...rejected];
  return `The run uses the connection ${connection}${allowed}${problems.length === 0 ? "" : `; at present ${problems.join(", and ")}`}.`;
}

function rateOf(rate: Extract<PendingLimit, { limit: "connection" }>["rateLimit"]): readonly string[] {
  if (rate === undefined) return [];
  return [
    rate.perSecond === undefined ? `a rate of ${rate.perMinute} per minute` : `a rate of ${rate.perSecond} per second`,
  ];
}
