// RPC entrypoint of operations over dead letters, subjects or executions: each method processes one slice. The
// operation's object keeps the pace and the counts.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import type {
  OperationWorkPort,
  ItemOutcome,
  OperationPage,
  OperationRequest,
  OperationView,
} from "#schema/operation.ts";
import type { MatchedPage, Health } from "#schema/engine/execution-command.ts";
import type { NumberedLine } from "#schema/subject/enrolling.ts";
import { commandDeadLetters } from "#services/operations/command-dead-letters.ts";
import { enrollLines } from "#services/operations/enroll-lines.ts";
import { recordOperationEnd } from "#services/operations/operations.ts";
import {
  checkOperationHealth,
  findOperationExecutions,
  listOperationDeadLetters,
} from "#services/operations/operation-lookups.ts";
import { commandExecutions } from "#services/operations/command-executions.ts";
import { depsOf } from "./deps.ts";

export class OperationWork extends WorkerEntrypoint<Env> implements OperationWorkPort {
  list(terms: OperationRequest, cursor: string | null): Promise<OperationPage> {
    return listOperationDeadLetters(depsOf(this.env), terms, cursor);
  }

  act(terms: OperationRequest, ids: readonly string[]): Promise<readonly ItemOutcome[]> {
    return commandDeadLetters(depsOf(this.env), terms, ids);
  }

  enroll(terms: OperationRequest, lines: readonly NumberedLine[]): Promise<readonly ItemOutcome[]> {
    return enrollLines(depsOf(this.env), terms, lines);
  }

  find(terms: OperationRequest, cursor: string | null): Promise<MatchedPage> {
    return findOperationExecutions(depsOf(this.env), terms, cursor);
  }

  control(terms: OperationRequest, lines: readonly NumberedLine[]): Promise<readonly ItemOutcome[]> {
    return commandExecutions(depsOf(this.env), terms, lines);
  }

  checkHealth(terms: OperationRequest, lines: readonly NumberedLine[]): Promise<Health> {
    return checkOperationHealth(depsOf(this.env), terms, lines);
  }

  close(view: OperationView): Promise<void> {
    return recordOperationEnd(depsOf(this.env), view);
  }
}
