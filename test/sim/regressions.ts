// Worlds that once failed, each named by its fault; they run in every test. Each was found again with its fault put
// back. A change of the random draws gives a seed another world, so the fault must then be put back to find a seed that
// shows it.

export type Regression = { readonly was: string; readonly scenario: string; readonly seed: number };

export const regressions: readonly Regression[] = [
  { was: "a commit that failed left the cell believing its alarm was armed", scenario: "pool", seed: 5 },
  { was: "what a person did to a busy execution never reached the audit table", scenario: "paused", seed: 1 },
  { was: "what a person did was forgotten when the object died before telling of it", scenario: "duel", seed: 9 },
  { was: "a later telling confirmed what an earlier life had never told", scenario: "canceled", seed: 331 },
  { was: "asked to tell again, the cell left out the runs it had told before", scenario: "duel", seed: 3549 },
  { was: "a clock a millisecond behind put due work off for a minute", scenario: "slots", seed: 117 },
  { was: "a clock that jumped after a tick put due work off for a minute", scenario: "exhausted", seed: 727 },
  { was: "a tick that failed took a due run for one that waits for a slot", scenario: "delays", seed: 277 },
  { was: "a flight lost while paused was sent again although nothing may go out", scenario: "paused", seed: 71 },
  { was: "an emptied cell forgot that its definitions had gone too", scenario: "emptied", seed: 1 },
  {
    was: "a dead letter sent again after its execution's retention was never told of",
    scenario: "redrivenLate",
    seed: 99,
  },
  { was: "an outcome that had landed was forgotten, and its action went out again", scenario: "pool", seed: 13 },
  { was: "an older action with the same dedup key hid the one in its window", scenario: "keyed", seed: 1 },
  {
    was: "where the store wrote nothing, what stood apart was due for ever, and its cell spun",
    scenario: "delays",
    seed: 229,
  },
  {
    was: "what came back could not be stored as back, and nobody looked at it again",
    scenario: "generatedPool",
    seed: 443,
  },
  {
    was: "what was told of an execution before it was given up unread went down with its dead message",
    scenario: "poisoned",
    seed: 2335,
  },
];
