// The sentences of docs/concepts/guarantees.md, word for word, and the tests that prove each one (file and title).
// A sentence that promises nothing has a reason instead.
type Test = readonly [file: string, title: string];

export type Guarantee =
  | { readonly says: string; readonly heldBy: readonly [Test, ...Test[]] }
  | { readonly says: string; readonly promisesNothing: string };

const kernel = (file: string, title: string): Test => [`test/kernel/execution/${file}.test.ts`, title];
const flow = (file: string, title: string): Test => [`test/flows/${file}.workers.test.ts`, title];
const sim: Test = ["test/sim/sim.test.ts", "ends in ${SEEDS_EACH} rough worlds as it ends in calm ones"];

export const guarantees: readonly Guarantee[] = [
  {
    says: "**At least once.** An execution stores its decisions, together with the alarm that repeats them, before it sends anything.",
    heldBy: [
      [
        "test/durable-objects/execution/cell.order.test.ts",
        "what was decided is written down, together with the alarm, before it is sent: %s",
      ],
      ["test/durable-objects/execution/cell.order.test.ts", "what could not be written down is not sent: %s"],
      sim,
    ],
  },
  {
    says: "A lost message is sent again.",
    heldBy: [
      kernel("clock.lost", "is sent again with growing gaps, the last one for ever"),
      kernel("clock.lost", "that passes is a timeout, tried again under the same key"),
      flow("survival", "an alarm that was lost is armed again by a poke"),
      sim,
    ],
  },
  {
    says: "**One idempotency key per effect.** Every attempt of a run carries the same idempotency key, `<executionId>/<runId>`, and sends the bytes that were frozen at the first attempt.",
    heldBy: [
      flow("lanes", "a 503 is tried again under the same key, not before its Retry-After"),
      flow("lanes", "every attempt sends the same bytes, whatever has been patched meanwhile"),
      kernel("settle", "of a later attempt sends the same bytes, whatever has changed since"),
      ["test/runners/contract.ts", "sends the same bytes under the same key on every attempt"],
    ],
  },
  {
    says: "A receiver that honours the key sees the effect once.",
    heldBy: [sim, flow("survival", "messages delivered twice and in any order are carried out once")],
  },
  {
    says: "The action types list [which providers honour it](../reference/action-types.md#which-repeats-are-dropped).",
    heldBy: [["test/runners/docs.test.ts", "says of %s whether repeats of a key are dropped"]],
  },
  {
    says: "**Unknown is not failed.** If the engine stops during a call, the effect of that call is unknown.",
    promisesNothing: "says what is the case",
  },
  {
    says: "The run is sent again under the same key and marked as possibly repeated; it is never silently recorded as a failure.",
    heldBy: [
      flow("survival", "a direct flight whose object was killed comes back through the queue, under the same key"),
      kernel("clock.lost", "sends them again: same attempt, same key, known to be possibly repeated"),
      kernel("clock.lost", "a success of the lost flight is still welcome"),
    ],
  },
  {
    says: "**One at a time.** Each execution's object serialises all its inputs.",
    heldBy: [flow("steering", "many events at once are taken one after the other, each once"), sim],
  },
  {
    says: "A repeated request (same `Idempotency-Key`, or same event id) changes nothing and is answered as a repeat: a start as long as the execution's history exists, any other request for at least a day.",
    heldBy: [
      kernel("receipts/receipts", "of a request with a key is known for a day, however many came after it"),
      kernel("receipts/receipts", "of the start is known whatever came after it"),
      kernel("receipts/receipts", "counts once over days of any kind of traffic"),
      flow("steering", "a command sent twice under one key is one command, and each is in the audit log once"),
    ],
  },
  {
    says: "[An execution whose receipts are full](../operate/retention.md#how-long-a-repeat-is-known) refuses a request rather than count it twice.",
    heldBy: [
      kernel("receipts/receipts", "are refused, with when there is room again, instead of one being counted twice"),
      kernel(
        "step",
        "is refused where a key still promised would have to be forgotten for it; a cancellation and what has no key are not",
      ),
    ],
  },
  {
    says: "**Nothing ends silently.** Every run, timer and event that is skipped, canceled, held, dropped or ignored has a journal entry with a reason.",
    heldBy: [
      kernel("lateness", "late work is skipped with a reason"),
      kernel("runs", "is taken back with its state if it has not started"),
      kernel("hold", "says why and until when, wakes the execution then, and goes out as the same attempt"),
      kernel("control.events", "that nobody came to want is dropped with a reason when the execution ends"),
      kernel("settle", "that nothing listens for is told, and changes nothing"),
    ],
  },
  {
    says: "**Secrets are encrypted at rest.** They are encrypted in the catalog, added to a request at the last moment, and removed from the answer ([limits of that](../operate/secrets.md#what-it-does-not-protect-from)).",
    heldBy: [
      [
        "test/services/secrets/secrets.workers.test.ts",
        "is stored sealed only, each time with another iv, and counts its versions",
      ],
      ["test/flows/secrets.alone.workers.test.ts", "a secret reaches the provider and is found nowhere else (%s lane)"],
      ["test/runners/contract.ts", "keeps no secret of its config when a %i echoes it"],
    ],
  },
  {
    says: "**The catalog may be down.** Executions neither read D1 nor wait for it.",
    heldBy: [
      flow("survival", "with the catalog down, executions go on and the lists catch up"),
      ["test/tidy/rooms.test.ts", "%s keeps to its walls"],
    ],
  },
  {
    says: "While D1 is down they continue, and lists catch up later.",
    heldBy: [
      flow("survival", "with the catalog down, executions go on and the lists catch up"),
      flow("survival", "projections that were given up on are told again by the executions themselves"),
    ],
  },
  {
    says: "The secrets, connections, templates and signing keys that their actions need are cached; [after that](../operate/incidents.md#when-d1-is-down) those runs wait or are retried.",
    heldBy: [
      [
        "test/services/secrets/secrets.workers.test.ts",
        "goes on with what the isolate has seen while D1 is down, for ten minutes",
      ],
      flow("survival", "an action whose secret nobody can look up just now waits, and has lost no attempt"),
    ],
  },
  {
    says: "**Exactly once** at a receiver that ignores the key.",
    promisesNothing: "it is said not to be guaranteed",
  },
  {
    says: "An attempt that may have been made twice there has `possiblyRepeated`, and so has each one after an attempt whose effect is unknown.",
    heldBy: [
      ["test/kernel/execution/doubt.test.ts", "%s: each of the next ones says so, or none"],
      flow("survival", "a direct flight whose object was killed comes back through the queue, under the same key"),
    ],
  },
  {
    says: "**Order** between executions, or of runs in an execution that allows several at once.",
    promisesNothing: "it is said not to be guaranteed",
  },
  {
    says: "**Lists to the moment.** `GET /v1/executions` lags by about a second, more when D1 is slow.",
    heldBy: [
      kernel("clock", "nothing while it is busy, and everything as soon as it rests"),
      kernel("clock", "a busy one now and then"),
    ],
  },
  {
    says: "Reading one execution never lags.",
    heldBy: [
      [
        "test/routes/executions/executions.workers.test.ts",
        "a catalog that does not answer is 503 where it is needed, and executions go on",
      ],
    ],
  },
  {
    says: "**Timers to the millisecond.** A timer never fires early.",
    heldBy: [kernel("clock", "fires at its instant, and says how late it was"), sim],
  },
  {
    says: "It usually fires within milliseconds, and up to about a minute late while the platform moves an object; action timeouts are detected with some seconds of grace.",
    heldBy: [
      kernel("clock", "fires at its instant, and says how late it was"),
      kernel("clock.lost", "that passes is a timeout, tried again under the same key"),
      flow("survival", "the sweeper wakes executions whose own alarm never came"),
    ],
  },
  {
    says: "**Forever.** After an execution's retention its history is deleted and its summary stays in lists.",
    heldBy: [
      [
        "test/durable-objects/execution/storage.workers.test.ts",
        "an execution's own object is emptied, and the catalog's summary is what is left",
      ],
    ],
  },
  {
    says: "Its id and key may then be used again and mean a new execution.",
    heldBy: [
      [
        "test/durable-objects/execution/storage.workers.test.ts",
        "the same object begins anew with everything it needs: table, definition, alarm",
      ],
      [
        "test/catalog/lives.workers.test.ts",
        "are its own rows: purging it leaves the new life's runs, and those that do not say go by their moment",
      ],
    ],
  },
  {
    says: "Its actions are sent under keys made of that id (`<execution>/<run>`), so a receiver that stores keys for longer than the retention takes them for repeats: use a new id.",
    heldBy: [
      [
        "test/durable-objects/execution/ticket.test.ts",
        "the key of an effect is made of the ids of its execution and run, in whatever life",
      ],
    ],
  },
];
