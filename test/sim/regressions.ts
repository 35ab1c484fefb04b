// Worlds that once failed, each named by its fault; they run in every test. Each was found again with its fault put
// back. A change of the random draws gives a seed another world, so the fault must then be put back to find a seed that
// shows it.

export type Regression = { readonly was: string; readonly scenario: string; readonly seed: number };

export const regressions: readonly Regression[] = [
  { was: "a commit that failed left the cell with an alarm that was not armed", scenario: "pool", seed: 5 },
  { was: "what a person did to a busy execution never reached the audit table", scenario: "paused", seed: 1 },
  { was: "an operator's input was lost when the object was evicted before projecting it", scenario: "duel", seed: 9 },
  {
    was: "a later projection confirmed one that an earlier incarnation had never sent",
    scenario: "canceled",
    seed: 331,
  },
  { was: "asked to project again, the cell left out the runs it had projected before", scenario: "duel", seed: 3549 },
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
    was: "where the store wrote nothing, quarantined executions were due permanently, and their cell spun",
    scenario: "delays",
    seed: 229,
  },
  {
    was: "a readable execution could not be stored as readable, and was not checked again",
    scenario: "generatedPool",
    seed: 443,
  },
  {
    was: "a projection of an execution sent before it was canceled unread was lost with its dead message",
    scenario: "poisoned",
    seed: 2335,
  },
];
