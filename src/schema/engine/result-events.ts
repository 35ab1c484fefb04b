// Result events: the event types that a successful run emits, by action type.
export const resultEvents: { readonly [type: string]: readonly string[] } = {
  api_call: ["api_call_completed"],
  blockchain_mint: ["nft_minted"],
  contract_call: ["contract_called"],
  database: ["database_executed"],
  delay: ["delay_elapsed"],
  docusign_envelope: ["envelope_created", "envelope_sent"],
  docusign_recipient_view: ["recipient_view_created"],
  email: ["email_sent"],
  push: ["push_sent"],
  send_event: ["event_sent"],
  slack: ["slack_message_sent"],
  sms: ["sms_sent"],
  start_execution: ["execution_started"],
  task: ["task_created"],
  webhook: ["webhook_called"],
  worker: ["worker_called"],
};
