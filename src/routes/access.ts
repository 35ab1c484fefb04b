// Who may call what: every operation that asks for a key, in one table. Scopes are a plain set: none implies another,
// so a key that only manages keys cannot read an execution.
import type { Scope } from "#services/deps.ts";

export type Access = {
  readonly scope: Scope;
  /** false: the operation is about the whole installation, not about what one tenant has. */
  readonly tenant: boolean;
};

const of = (scope: Scope): Access => ({ scope, tenant: true });
const wide = (scope: Scope): Access => ({ scope, tenant: false });

export const access = {
  createTenant: wide("admin"),
  listTenants: wide("admin"),
  getTenant: wide("admin"),
  createKey: of("admin"),
  listKeys: of("admin"),
  revokeKey: of("admin"),
  getSigningSecret: of("admin"),
  createDefinition: of("write"),
  validateDefinition: of("read"),
  listDefinitions: of("read"),
  getDefinition: of("read"),
  listDefinitionVersions: of("read"),
  getDefinitionVersion: of("read"),
  archiveDefinition: of("write"),
  createTemplate: of("write"),
  previewTemplate: of("read"),
  listTemplates: of("read"),
  getTemplate: of("read"),
  listTemplateVersions: of("read"),
  archiveTemplate: of("write"),
  setSecret: of("admin"),
  listSecrets: of("admin"),
  deleteSecret: of("admin"),
  reencryptSecrets: wide("admin"),
  createConnection: of("admin"),
  listConnections: of("read"),
  getConnection: of("read"),
  updateConnection: of("admin"),
  deleteConnection: of("admin"),
  testConnection: of("admin"),
  startExecution: of("write"),
  startExecutions: of("write"),
  listExecutions: of("read"),
  getExecution: of("read"),
  getJournal: of("read"),
  listRuns: of("read"),
  watchExecution: of("read"),
  sendEvent: of("write"),
  patchExecution: of("operate"),
  pauseExecution: of("operate"),
  resumeExecution: of("operate"),
  cancelExecution: of("operate"),
  pokeExecution: of("operate"),
  runNow: of("operate"),
  retryRun: of("operate"),
  listDeadLetters: of("read"),
  getDeadLetter: of("read"),
  retryDeadLetter: of("operate"),
  archiveDeadLetter: of("operate"),
  listRetryPolicies: of("read"),
  getRetryLadder: of("read"),
  showRetryLadder: of("read"),
  listTasks: of("read"),
  getTask: of("read"),
  completeTask: of("write"),
  cancelTask: of("operate"),
  reassignTask: of("operate"),
  getPrices: of("read"),
  setPrices: of("admin"),
  listAudit: of("read"),
} as const satisfies { readonly [operation: string]: Access };

export type OperationId = keyof typeof access;
