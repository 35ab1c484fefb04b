// The guarantees by id, and the tests that prove each one (file and title). The page docs/concepts/guarantees.md has the id in
// a comment after the sentence (`<!-- guarantee: repeated-request -->`), so its wording may change. A sentence that promises
// nothing has a reason instead.
type Test = readonly [file: string, title: string];

export type Guarantee =
  | { readonly id: string; readonly heldBy: readonly [Test, ...Test[]] }
  | { readonly id: string; readonly promisesNothing: string };

const kernel = (file: string, title: string): Test => [`test/kernel/execution/${file}.test.ts`, title];
const flow = (file: string, title: string): Test => [`test/flows/${file}.workers.test.ts`, title];
const sim: Test = ["test/sim/sim.test.ts", "ends in ${SEEDS_EACH} rough worlds as it ends in calm ones"];

export const guarantees: readonly Guarantee[] = [
  {
    id: "stored-before-sent",
    heldBy: [
      [
        "test/durable-objects/execution/cell.order.test.ts",
        "rows and alarm are stored before the effects are sent: %s",
      ],
      ["test/durable-objects/execution/cell.order.test.ts", "effects of a failed commit are not sent: %s"],
      sim,
    ],
  },
  {
    id: "lost-is-sent-again",
    heldBy: [
      kernel("clock.lost-responses", "is sent again with growing gaps, the last one for ever"),
      kernel("clock.lost-responses", "that passes is a timeout, tried again under the same key"),
      flow("survival", "an alarm that was lost is armed again by a poke"),
      sim,
    ],
  },
  {
    id: "one-key-per-run",
    heldBy: [
      flow("lanes", "a 503 is tried again under the same key, not before its Retry-After"),
      flow("lanes", "every attempt sends the same bytes, whatever has been patched meanwhile"),
      kernel("settle", "of a later attempt sends the same bytes, whatever has changed since"),
      ["test/runners/contract.ts", "sends the same bytes under the same key in every attempt"],
    ],
  },
  {
    id: "one-effect-per-key",
    heldBy: [sim, flow("survival", "messages delivered twice and in any order are carried out once")],
  },
  { id: "providers-with-keys", heldBy: [["test/runners/docs.test.ts", "states for %s whether it detects repeats"]] },
  { id: "unknown-effect", promisesNothing: "says what is the case" },
  {
    id: "unknown-is-retried",
    heldBy: [
      flow("survival", "a direct flight whose object was killed comes back through the queue, under the same key"),
      kernel("clock.lost-responses", "sends them again: same attempt, same key, known to be possibly repeated"),
      kernel("clock.lost-responses", "a success of the lost flight is still welcome"),
    ],
  },
  {
    id: "serialised-inputs",
    heldBy: [flow("execution-commands", "many events at once are taken one after the other, each once"), sim],
  },
  {
    id: "repeated-request",
    heldBy: [
      kernel("receipts/receipts", "of a request with a key is known for a day, however many came after it"),
      kernel("receipts/receipts", "of the start is known whatever came after it"),
      kernel("receipts/receipts", "counts once over days of any kind of traffic"),
      flow(
        "execution-commands",
        "a command sent twice under one key is one command, and each is in the audit log once",
      ),
    ],
  },
  {
    id: "refused-when-full",
    heldBy: [
      kernel("receipts/receipts", "are refused, with when there is room again, instead of one being counted twice"),
      kernel(
        "step",
        "is refused where a key still promised would have to be forgotten for it; a cancellation and what has no key are not",
      ),
    ],
  },
  {
    id: "journaled-reasons",
    heldBy: [
      kernel("due/holds.lateness", "late work is skipped with a reason"),
      kernel("runs", "is taken back with its state if it has not started"),
      kernel("due/holds", "says why and until when, wakes the execution then, and goes out as the same attempt"),
      kernel("early-events", "that no state accepts is dropped with a reason when the execution ends"),
      kernel("settle", "that has no listener is recorded, and changes nothing"),
    ],
  },
  {
    id: "encrypted-secrets",
    heldBy: [
      [
        "test/services/secrets/secrets.workers.test.ts",
        "is stored encrypted, each time with another IV, and counts its versions",
      ],
      ["test/flows/secrets.alone.workers.test.ts", "a secret reaches the provider and is found nowhere else (%s lane)"],
      ["test/runners/contract.ts", "stores no secret of its config that a %i echoes"],
    ],
  },
  {
    id: "no-wait-for-catalog",
    heldBy: [
      flow("survival", "with the catalog down, executions go on and the lists catch up"),
      ["test/tidy/rooms.test.ts", "%s keeps to its walls"],
    ],
  },
  {
    id: "lists-catch-up",
    heldBy: [
      flow("survival", "with the catalog down, executions go on and the lists catch up"),
      flow("survival", "projections that were given up on are told again by the executions themselves"),
    ],
  },
  {
    id: "catalog-values-cached",
    heldBy: [
      ["test/services/secrets/secrets.workers.test.ts", "uses cached secrets for ten minutes while D1 is down"],
      flow("survival", "an action whose secret nobody can look up just now waits, and has lost no attempt"),
    ],
  },
  { id: "exactly-once", promisesNothing: "it is said not to be guaranteed" },
  {
    id: "possibly-repeated",
    heldBy: [
      ["test/kernel/execution/attempts.doubt.test.ts", "%s: each of the next ones says so, or none"],
      flow("survival", "a direct flight whose object was killed comes back through the queue, under the same key"),
    ],
  },
  { id: "order", promisesNothing: "it is said not to be guaranteed" },
  {
    id: "list-lag",
    heldBy: [
      kernel("clock", "nothing while it is busy, and everything as soon as it rests"),
      kernel("clock", "a busy one now and then"),
    ],
  },
  {
    id: "current-reads",
    heldBy: [
      [
        "test/routes/executions/executions.workers.test.ts",
        "while the catalog is down, requests that need it are 503, and executions continue",
      ],
    ],
  },
  { id: "timer-not-early", heldBy: [kernel("clock", "fires at its instant, and says how late it was"), sim] },
  {
    id: "timer-lateness",
    heldBy: [
      kernel("clock", "fires at its instant, and says how late it was"),
      kernel("clock.lost-responses", "that passes is a timeout, tried again under the same key"),
      flow("survival", "the sweeper wakes executions whose own alarm never came"),
    ],
  },
  {
    id: "summary-after-retention",
    heldBy: [
      [
        "test/durable-objects/execution/storage.workers.test.ts",
        "an execution's own object is emptied, and the catalog keeps the summary",
      ],
    ],
  },
  {
    id: "id-used-again",
    heldBy: [
      [
        "test/durable-objects/execution/storage.workers.test.ts",
        "the emptied object can start again: table, definition, alarm",
      ],
      ["test/catalog/reused-ids.workers.test.ts", "keeps the runs of the later incarnation"],
    ],
  },
  {
    id: "keys-of-reused-id",
    heldBy: [
      [
        "test/durable-objects/execution/ticket.test.ts",
        "an effect's key consists of the execution's id and the run's id",
      ],
    ],
  },
];
