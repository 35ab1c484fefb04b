// Mutants of connections and signers: which calls may go now, and when the others are checked again.
import { mutantsOf, type Mutant } from "./mistake.ts";

const breaker = mutantsOf("src/policy/gates/breaker.ts", [
  {
    from: "if (breaker.until <= now)\n",
    to: "if (breaker.until < now)\n",
    why: "a breaker is still open at the instant it is to be half open",
  },
  {
    from: "probing + breaker.succeeded < terms.halfOpenProbes",
    to: "probing < terms.halfOpenProbes",
    why: "more probes than may be",
  },
  {
    from: 'call.outcome === "refused" || call.begunAt < (breaker.since ?? 0)',
    to: 'call.outcome === "refused"',
    why: "calls of before it closed count",
  },
  {
    from: 'call.outcome === "refused" || call.begunAt < (breaker.since ?? 0)',
    to: "call.begunAt < (breaker.since ?? 0)",
    why: "a provider that says no to a request counts as down",
  },
  { from: "calls >= terms.minimumCalls", to: "calls > terms.minimumCalls", why: "a breaker opens one call late" },
  {
    from: "failed / calls >= terms.failureRatio",
    to: "failed / calls > terms.failureRatio",
    why: "just the ratio does not open a breaker",
  },
  { from: "!isOk && calls >=", to: "calls >=", why: "a call that went well opens the breaker" },
  {
    from: "!call.isProbe || call.begunAt < (breaker.since ?? 0)",
    to: "!call.isProbe",
    why: "a probe of an earlier outage closes the breaker",
  },
  {
    from: "succeeded >= terms.halfOpenProbes",
    to: "succeeded > terms.halfOpenProbes",
    why: "a breaker closes one probe late",
  },
  {
    from: "filter(({ at }) => at > now - windowMs);\n  return {",
    to: "filter(() => true);\n  return {",
    why: "calls of before the window count",
  },
]);

const rate = mutantsOf("src/policy/gates/rate.ts", [
  {
    from: "promisedAt !== null && promisedAt <= now;",
    to: "promisedAt !== null && promisedAt < now;",
    why: "who comes at the very instant came early",
  },
  {
    from: "freeAt <= now && (isOnTime || queueEnd <= now)",
    to: "freeAt <= now",
    why: "a newcomer goes before those who were told",
  },
  {
    from: "freeAt <= now && (isOnTime || queueEnd <= now)",
    to: "isOnTime || queueEnd <= now",
    why: "who was told goes whatever the rate",
  },
  {
    from: "Math.max(rate.fullAt, now) + intervalMs",
    to: "rate.fullAt + intervalMs",
    why: "a quiet hour is room for a burst without end",
  },
  { from: "lineAt: until + intervalMs }", to: "lineAt: until }", why: "all who wait are told the same instant" },
  { from: "(terms.burst - 1) *", to: "terms.burst *", why: "a burst of one more" },
  { from: "Math.min(retryAfterMs, PAUSE_MS_MAX)", to: "retryAfterMs", why: "a provider pauses a connection for years" },
  {
    from: "Math.max(rate.pausedUntil, now + Math.min",
    to: "Math.max(0, now + Math.min",
    why: "a shorter pause ends a longer one",
  },
  {
    from: "isAbandoned(rate, intervalMs, now) ? now : rate.lineAt",
    to: "rate.lineAt",
    why: "a line that everybody has left makes newcomers wait",
  },
  {
    from: "if (isOnTime) return queueInFront(rate, freeAt, intervalMs, now);",
    to: "",
    why: "who came when told goes to the end of the line",
  },
]);

const slots = mutantsOf("src/policy/gates/slots.ts", [
  {
    from: "(isOnTime ? 0 : waitingBefore(line, expiresAt))",
    to: "0",
    why: "a newcomer takes the slot of somebody who was told",
  },
  { from: "(isOnTime ? 0 : waitingBefore(line, expiresAt))", to: "-1", why: "one call more than may be" },
  {
    from: "withoutReturn(slots.line, promisedAt) : slots.line;",
    to: "slots.line : slots.line;",
    why: "who has come still counts as waiting",
  },
  {
    from: "if (isPromised && !isOnTime && waitsForSlot(item)) return { slots, until: promisedAt };",
    to: "",
    why: "who comes early loses its place",
  },
  {
    from: "filter(([, { expiresAt }]) => expiresAt > now)",
    to: "filter(() => true)",
    why: "the slot of somebody who died is lost for ever",
  },
  {
    from: "at + WAIT_QUEUE_SLICE_MS + WAIT_QUEUE_ABANDONED_MS > now",
    to: "true",
    why: "those who never come are waited for without end",
  },
  {
    from: "isOnTime ? waitInFront(line, intervalMs, now) : waitBehind",
    to: "false ? waitInFront(line, intervalMs, now) : waitBehind",
    why: "who came when told and found no slot goes to the end",
  },
  {
    from: "waitMs <= SLOT_WAIT_MS_MAX ? waitMs :",
    to: "waitMs <= SLOT_WAIT_MS_MAX ? waitMs : true ? SLOT_WAIT_MS_MAX :",
    why: "all who would wait too long come at one instant",
  },
]);

const connection = mutantsOf("src/policy/gates/connection.ts", [
  {
    from: "Math.max(own.expiresAt, expiresAt)",
    to: "own.expiresAt",
    why: "who asks again for its lease is not given longer",
  },
  { from: "filter(({ isProbe }) => isProbe).length", to: "length", why: "calls that are no probes count as probes" },
  { from: "if (rate.until !== null) {", to: "if (rate.until === 0) {", why: "the rate is not heeded" },
  {
    from: "lease && outcome && terms.breaker\n",
    to: "outcome && terms.breaker\n",
    why: "an outcome without its lease counts",
  },
  {
    from: 'return answered ? "refused" : null;',
    to: "return null;",
    why: "answers of 4xx alone never close a breaker",
  },
  { from: "Math.min(0, now - state.seenAt)", to: "0", why: "after a clock was put back nobody gets through" },
  { from: "Object.keys(leases).length === 0 &&", to: "", why: "leases are forgotten in the object's sleep" },
  { from: "rate.pausedUntil <= soon &&", to: "", why: "a provider's pause is forgotten in the object's sleep" },
]);

const nonce = mutantsOf("src/policy/gates/nonce.ts", [
  { from: "tx.hashes[0] !== replaces", to: "false", why: "two who raise one fee both replace" },
  {
    from: 'tx?.status !== "reserved" || tx.nonce !== nonce',
    to: 'tx?.status !== "reserved"',
    why: "a transaction is stored under a nonce that was given away",
  },
  {
    from: "next: state.next + 1 }, key, state.next",
    to: "next: state.next }, key, state.next",
    why: "two transactions under one nonce",
  },
  { from: "state.free.filter((nonce) => nonce !== free)", to: "state.free", why: "a gap is filled twice" },
  { from: "now - tx.since >= NONCE_RESERVED_MS", to: "true", why: "a reservation is used away from who holds it" },
  { from: "other !== key && tx.status", to: "tx.status", why: "who asks loses its own reservation" },
  { from: "sentAt !== null || isDoubtful", to: "sentAt !== null", why: "what may have been sent gives its nonce back" },
  {
    from: "Math.max(chainNonce, state.next ?? 0, ...used)",
    to: "Math.max(chainNonce, state.next ?? 0)",
    why: "a nonce that is held here is given out again",
    lives:
      "The next one lies above all that were ever given out, and nothing sets it back below one that is held: a second lock on no nonce being used twice.",
  },
  { from: "nonce >= chainNonce)", to: "true)", why: "a gap that the chain has used is filled" },
  { from: "if (now < until) return", to: "if (false) return", why: "the chain gets no time to tell" },
]);

const mined = mutantsOf("src/policy/gates/mined-transactions.ts", [
  { from: "each.tx.nonce >= latest &&", to: "", why: "what is in the chain is sent again and again" },
  { from: "return !stored.isUndone;", to: "return true;", why: "what was undone is sent beside its run's second try" },
  { from: "|| pending > latest", to: "", why: "a nonce is given away that something in the pool has" },
  { from: "now - since < TX_LAG_MS", to: "false", why: "a node that is behind gives nonces away" },
  { from: "n >= TX_KEPT_MAX ||", to: "", why: "what is kept grows without bound" },
  { from: "isMined || !byPerson ? state", to: "isMined ? state", why: "nobody asked, and a run may mint twice" },
]);

const others = [
  ...mutantsOf("src/policy/gates/rejected-credentials.ts", [
    {
      from: "trouble.asOf >= (ask.asOf ?? 0) &&",
      to: "",
      why: "a secret set anew changes nothing of a refused account",
    },
    { from: "now < trouble.lookAt", to: "true", why: "nobody ever looks whether an account has been mended" },
    { from: "since: current?.since ?? now", to: "since: now", why: "an account is always refused since just now" },
    {
      from: "now >= since + REJECTED_ACCOUNT_HOLD_MS",
      to: "false",
      why: "work is held for ever by an account nobody mends",
    },
  ]),
  ...mutantsOf("src/policy/gates/token.ts", [
    {
      from: "now < usableUntil(token, token.obtainedAt)",
      to: "now < token.expiresAt",
      why: "a token runs out on its way",
    },
    {
      from: "ask.refused >= token.serial",
      to: "ask.refused > token.serial",
      why: "a token that was refused is handed out again",
    },
    { from: "refresh ?? choice.refresh", to: "refresh", why: "a refresh token that stays is forgotten" },
    {
      from: "hasCurrentSecrets(setback, ask) && now < setback.until",
      to: "hasCurrentSecrets(setback, ask)",
      why: "one failure to get a token is for ever",
    },
    { from: "return asOf >= (ask.asOf ?? 0)", to: "return true", why: "a token outlives a changed secret" },
    {
      from: "held.key === key : held.chain === chain",
      to: "held.key === key : true",
      why: "a refresh token goes on where another one was set",
    },
    { from: "(held.asOf ?? 0) > asOf", to: "false", why: "a token of older secrets goes over one of newer" },
  ]),
];

export const gateMutants: readonly Mutant[] = [
  ...breaker,
  ...rate,
  ...slots,
  ...connection,
  ...nonce,
  ...mined,
  ...others,
];
